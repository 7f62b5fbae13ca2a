export { AdmissionChain } from './admission-chain.js';
export { installAdmission } from './install-admission.js';
export type { DefinitionSource } from './matching/equivalents.js';
export { createNamespaceLifecycle } from './namespace-lifecycle.js';
export { typeCheck } from './policies/type-check.js';
