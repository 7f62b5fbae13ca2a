import { type FieldError, nameIsPathSegment, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, list } from '../shared/fields.js';
import { validateSelector } from '../shared/validation.js';
import { validateRules } from './policy-rules.js';
import { roleTable } from './role.js';

export const clusterRoles = defineBuiltin({
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  createOnUpdate: true,
  table: roleTable,
  strategy: {
    name: nameIsPathSegment,
    validate: (role) => [...validateRules(list(role.rules), false), ...validateAggregation(role)],
  },
});

function validateAggregation(role: Fields): FieldError[] {
  if (role.aggregationRule === undefined) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = list(fields(role.aggregationRule).clusterRoleSelectors);
  if (selectors.length === 0) {
    return [requiredField(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, index) => validateSelector(selector, `${path}[${index}]`));
}
