export type { AdmissionPlugin, AdmissionRequest, MutationRound, Operation } from './admission.js';
export { AdmissionChain } from './admission-chain.js';
export { createNamespaceLifecycle } from './namespace-lifecycle.js';
export { installAdmission, type InstallAdmissionOptions } from './install-admission.js';
export { admissionNamespace, forbiddenRequestOf } from './refuse.js';
