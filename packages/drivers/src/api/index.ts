import type { Kind } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';
import { compatibilityConfig } from './compatibility-config.js';
import { vdoConfig } from './vdo-config.js';
import { vsphereCloudConfig } from './vsphere-cloud-config.js';

export type { CompatibilityConfig } from './compatibility-config.js';
export {
  annotations,
  bundleLabel,
  clusterAnnotations,
  clusterCondition,
  clusterIdConfigMap,
  compatibilityConfigName,
  cpiDaemonSet,
  csiDeployment,
  csiDriverName,
  csiNamespace,
  csiNodeDaemonSet,
  csiSecretName,
  type DriverName,
  driverNames,
  fieldManager,
  finalizer,
  hostedVdoConfig,
  inventoryName,
  labels,
  leaderElectionId,
  matrixCacheConfigMap,
  matrixConfigMap,
  operatorName,
  operatorNamespace,
  providerIdPrefix,
  systemNamespace,
  uninitializedTaint,
} from './names.js';
export { DriverError, type Reason, remedies, remedyOf } from './reasons.js';
export type {
  CloudProviderSpec,
  ConnectionSummary,
  DriverStatus,
  NodeStatus,
  StorageProviderSpec,
  VdoConfig,
  WorkloadStatus,
} from './vdo-config.js';
export type { VsphereCloudConfig } from './vsphere-cloud-config.js';

export const driverKinds: readonly Kind[] = [vdoConfig, vsphereCloudConfig, compatibilityConfig];
export const vdoConfigs = resourceOf(vdoConfig);
export const vsphereCloudConfigs = resourceOf(vsphereCloudConfig);
export const compatibilityConfigs = resourceOf(compatibilityConfig);
