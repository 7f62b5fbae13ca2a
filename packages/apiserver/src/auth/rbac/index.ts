export { aggregatedRules } from './aggregation.js';
export type { RoleRef } from './binding.js';
export { type BootstrapPolicy, bootstrapPolicy } from './bootstrap-policy.js';
export { compactRules, formatRule, uncoveredRules } from './covers.js';
export { checkBinding, checkRoleEscalation, escalationProblem, type EscalationWorld } from './escalation.js';
export {
  createEscalationHooks,
  type EscalationHooks,
  guardRbacDefinitions,
  type RbacEscalationHooks,
} from './escalation-hooks.js';
export { type PolicyRule, ruleAllows, rulesOf } from './policy-rule.js';
export { mastersGroup, RbacAuthorizer } from './rbac-authorizer.js';
export { rbacGroup, RbacIndex, rbacStorage } from './rbac-index.js';
export {
  planPolicyChange,
  type PolicyChange,
  type PolicyWriter,
  type RbacResource,
  reconcilePolicy,
} from './reconcile-policy.js';
