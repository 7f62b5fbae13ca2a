export type { AdmissionPlugin, AdmissionRequest, Operation } from './admission.js';
export { AdmissionChain } from './admission-chain.js';
export { createNamespaceLifecycle } from './namespace-lifecycle.js';
