export {
  builtinConfig,
  builtinProvider,
  clusterApiLevel,
  devClusterTemplate,
  devTemplates,
  kvmTemplates,
  namespaceOf,
  type ProviderDeployment,
  providerObjects,
  providerVersion,
  type TemplateText,
  vsphereTemplates,
  webhookServiceName,
} from './builtin/index.js';
export { ClusterctlError } from './clusterctl-error.js';
export {
  componentResources,
  ownNamespace,
  placeObjects,
  type ProviderComponents,
  readComponents,
  withImages,
} from './components/index.js';
export { ClusterctlConfig, readConfig } from './config/index.js';
export {
  checkNoObjects,
  chooseInstalled,
  deleteObjects,
  findProviderObjects,
  type FoundObject,
} from './delete/index.js';
export {
  type Lookup,
  MissingVariablesError,
  processTemplate,
  TemplateSyntaxError,
  type TemplateVariable,
  templateVariables,
} from './envsubst/index.js';
export type { FetchDependencies } from './fetch/index.js';
export { applyObject, install, type NamedProviders, planInit, waitForProviders } from './install/index.js';
export {
  checkContract,
  embeddedAnnotation,
  findInstalled,
  installedOf,
  type InstalledProvider,
  inventoryDefinition,
  inventoryObject,
  listInstalled,
  providerLabels,
  writeInventory,
} from './inventory/index.js';
export type { ManagementCluster } from './management-cluster.js';
export {
  move,
  MoveError,
  moveFromDirectory,
  type MoveOptions,
  type MoveProgress,
  type MoveReport,
  moveToDirectory,
  previewMove,
} from './move/index.js';
export {
  componentsFiles,
  isSameProvider,
  labelOf,
  manifestLabel,
  parseProviderReference,
  type ProviderConfig,
  type ProviderType,
  providerTypes,
} from './provider/index.js';
export { writeRelease } from './release/index.js';
export {
  type BuiltinProvider,
  compatibleContracts,
  currentContract,
  isGitHubToken,
  isRemote,
  latestVersion,
  LocalSource,
  metadataFile,
  openRegistry,
  openRepository,
  parseMetadata,
  type RepositoryDependencies,
  seriesOf,
} from './repository/index.js';
export {
  clusterNameProblem,
  generateCluster,
  type GeneratedCluster,
  parseObjects,
  readTemplateFrom,
  renderTemplate,
  stringifyManifest,
  type TemplateSource,
  versionProblem,
} from './template/index.js';
export {
  applyUpgrade,
  checkSkew,
  nextVersionAmong,
  planTo,
  planToContract,
  planUpgrade,
  readReleases,
  type Releases,
  scaleDown,
  type UpgradePlan,
} from './upgrade/index.js';
