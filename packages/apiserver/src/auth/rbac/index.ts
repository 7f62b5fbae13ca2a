export { bootstrapPolicy } from './bootstrap-policy.js';
export { type PolicyRule, ruleAllows, rulesOf } from './policy-rule.js';
export { createEscalationHooks, guardRbacDefinitions, type RbacEscalationHooks } from './escalation-hooks.js';
export { RbacAuthorizer } from './rbac-authorizer.js';
export { rbacGroup, RbacIndex, rbacStorage } from './rbac-index.js';
export { type RbacResource, reconcilePolicy } from './reconcile-policy.js';
