export { MutatingPolicies } from './mutating-policies.js';
export { ValidatingPolicies } from './validating-policies.js';
