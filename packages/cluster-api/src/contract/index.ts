export { bootstrapConfig } from './bootstrap-config.js';
export { claimReference, failureOf, noteFailure, type ProviderFailure } from './claim-reference.js';
export { cloneTemplate, kindOfTemplate } from './clone-template.js';
export {
  type Contract,
  contracts,
  type ContractVersion,
  contractVersionOf,
  definitionNameOf,
} from './contract-version.js';
export { controlPlane } from './control-plane.js';
export { contractVersionsFrom, type FindDefinition } from './definition-contracts.js';
export { type Endpoint, formatEndpoint, isValidEndpoint } from './endpoint.js';
export { fieldAt, flagAt, listAt, numberAt, objectAt, type ProviderObject, textAt } from './fields.js';
export { followReference, type ObjectReference, type ReferencedObject } from './follow-reference.js';
export { infrastructureCluster } from './infrastructure-cluster.js';
export { type InfrastructureMachine, infrastructureMachine } from './infrastructure-machine.js';
export {
  definitionsWatch,
  type KindReference,
  type ProviderKind,
  type ProviderKindReason,
  resolveKind,
} from './provider-kind.js';
export { providerConditions, providerReadyV1beta1 } from './provider-conditions.js';
export {
  contractOf,
  failureMessage,
  foundObject,
  providerCondition,
  type ProviderState,
} from './provider-state.js';
export { mapToReferrer, referenceIndex } from './reference-index.js';
