export { explainEntries, nothingFits, rangeText } from './compatibility.js';
export { type Matrix, type MatrixEntry, parseMatrix, readMatrix } from './matrix.js';
export { type Resolution, resolveVersion, type UpdatePolicy, type VersionQuestion } from './resolve.js';
export { newestCpiVersion, newestCsiVersion, shippedMatrixText } from './shipped-matrix.js';
export { compareVersions, isBelow, kubernetesMinor, vsphereVersion } from './version.js';
