import { nameIsPathSegment } from '@slipway/kube';
import { defineKind } from '../shared/define.js';
import { bindingTable, defaultBinding, validateBinding, validateBindingUpdate } from './bindings.js';

export const roleBindings = defineKind({
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  createOnUpdate: true,
  table: bindingTable,
  strategy: {
    name: nameIsPathSegment,
    defaults: defaultBinding,
    validate: (binding) => validateBinding(binding, true),
    validateUpdate: validateBindingUpdate,
  },
});
