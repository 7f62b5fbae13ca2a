export { MutatingPolicies } from './mutating-policies.js';
export { type PolicyPluginOptions, ValidatingPolicies } from './validating-policies.js';
export { PolicyStatusLoop, type PolicyStatusOptions } from './policy-status-loop.js';
