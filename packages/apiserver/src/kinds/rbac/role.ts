import { nameIsPathSegment } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, list } from '../shared/fields.js';
import { column, nameColumn, printer } from '../shared/table.js';
import { validateRules } from './policy-rules.js';

export const roleTable = printer([
  nameColumn,
  column('Created At', (role) => fields(role.metadata).creationTimestamp ?? null, 'date'),
]);

export const roles = defineBuiltin({
  group: 'rbac.authorization.k8s.io',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  createOnUpdate: true,
  table: roleTable,
  strategy: { name: nameIsPathSegment, validate: (role) => validateRules(list(role.rules), true) },
});
