export { MutatingPolicies } from './mutating-policies.js';
export { ValidatingPolicies } from './validating-policies.js';
export { PolicyStatusLoop } from './policy-status-loop.js';
