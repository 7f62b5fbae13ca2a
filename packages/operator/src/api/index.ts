export { conditionTypes, installReasons, preflightReasons, readyReasons, upgradeReasons } from './conditions.js';
export type { ContainerSpec, DeploymentSpec } from './deployment-spec.js';
export type { ManagerSpec } from './manager-spec.js';
export {
  cacheKey,
  cacheName,
  configMapKeys,
  coreProviderName,
  fieldManager,
  finalizer,
  isCacheName,
  manifestsLabels,
  manifestsName,
  nameOf,
  operatorAnnotations,
  operatorLabels,
  type ProviderVersion,
  typeNames,
  versionLabel,
} from './names.js';
export { type FrozenProvider, operatorKinds, type ProviderObject, providerResources } from './provider-kinds.js';
export type { PatchSpec, ProviderSpec } from './provider-spec.js';
