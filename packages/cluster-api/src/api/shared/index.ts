// Parts of CRD schemas that this package shares with providers.
export { ageColumn } from './columns.js';
export {
  conditions,
  deprecatedConditions,
  deprecatedFailure,
  v1beta1Conditions,
  v1beta2Conditions,
  v1beta2Counters,
} from './conditions.js';
export { contractLabels } from './contract-labels.js';
export { controlPlaneEndpoint } from './endpoint.js';
export { gates, gatesV1Beta1 } from './gates.js';
export { labelSelector } from './label-selector.js';
export { machineTaints } from './machine-taints.js';
export { templateMetadata, templateMetadataV1Beta1 } from './metadata.js';
export { kindPattern, subdomainPattern } from './patterns.js';
export {
  contractReference,
  nameReferenceV1Beta1,
  objectReference,
  poolReferenceV1Beta1,
  templateReference,
} from './references.js';
export { deletionTimeouts, machineNaming, machineNamingV1Beta1, nodeTimeoutsV1Beta1 } from './rollout.js';
export {
  failureDomains,
  failureDomainsV1Beta1,
  machineAddresses,
  statusVersions,
} from './status-parts.js';
