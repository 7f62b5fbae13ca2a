export * from './cluster-class.js';
export * from './cluster-resource-set-binding.js';
export * from './cluster-resource-set.js';
export * from './cluster.js';
export * from './extension-config.js';
export * from './global-in-cluster-ip-pool.js';
export * from './in-cluster-ip-pool.js';
export * from './ip-address-claim.js';
export * from './ip-address.js';
export * from './machine-deployment.js';
export * from './machine-drain-rule.js';
export * from './machine-health-check.js';
export * from './machine-pool.js';
export * from './machine-set.js';
export * from './machine.js';
export * from './provider.js';
export {
  conditions,
  deprecatedConditions,
  v1beta1Conditions,
  v1beta2Conditions,
  v1beta2Counters,
} from './shared/conditions.js';
export { contractLabels } from './shared/contract-labels.js';
export { controlPlaneEndpoint } from './shared/endpoint.js';
export { gates, gatesV1Beta1 } from './shared/gates.js';
export { machineTaints } from './shared/machine-taints.js';
export { templateMetadata, templateMetadataV1Beta1 } from './shared/metadata.js';
export { contractReference, nameReferenceV1Beta1, objectReference } from './shared/references.js';
export { deletionTimeouts, machineNaming, machineNamingV1Beta1 } from './shared/rollout.js';
export {
  failureDomains,
  failureDomainsV1Beta1,
  machineAddresses,
  statusVersions,
} from './shared/status-parts.js';
export * from './conversions/index.js';
