export { explainEntries, type ExplainedEntry, nothingFits, rangeText, type Surroundings } from './compatibility.js';
export { type Matrix, type MatrixEntry, parseMatrix, readMatrix } from './matrix.js';
export { type Resolution, resolveVersion, updatePolicies, type UpdatePolicy, type VersionQuestion } from './resolve.js';
export { newestCpiVersion, newestCsiVersion, shippedMatrixText } from './shipped-matrix.js';
export { bareVersion, compareVersions, isBelow, kubernetesMinor, vsphereVersion } from './version.js';
