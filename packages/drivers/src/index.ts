export {
  annotations,
  compatibilityConfigs,
  DriverError,
  driverKinds,
  matrixConfigMap,
  operatorName,
  operatorNamespace,
  remedyOf,
  type VdoConfig,
  vdoConfigs,
  type VsphereCloudConfig,
  vsphereCloudConfigs,
} from './api/index.js';
export {
  accountSecret,
  answeredObjects,
  checkSecret,
  type ConnectionAnswers,
  type DriverAnswers,
  isHealthy,
  objectNameOf,
  preflight,
  readStatus,
  type StatusReport,
  statusText,
  waitForDrivers,
  waitForOperator,
  writeObjects,
} from './command/index.js';
export { createVimVCenters, openSession, readCertificate } from './connection/index.js';
export {
  type BundleFile,
  bundleObjects,
  bundleTemplates,
  makeBundle,
  olmBundle,
  operatorManifest,
  operatorRules,
  watchedResources,
  writtenObjects,
} from './install/index.js';
export { templateDrivers } from './manifests/index.js';
export { explainEntries, nothingFits, parseMatrix, rangeText, readMatrix, shippedMatrixText } from './matrix/index.js';
export { type OperatorOptions, type RunningOperator, runOperator } from './operator/index.js';
export { parseTemplate } from './render/index.js';
export {
  type AccountPlan,
  type AccountWishes,
  applyAccount,
  findPlaces,
  generatePassword,
  listGrants,
  Places,
  planAccount,
} from './users/index.js';
export { createClusterDrivers } from './workload/index.js';
