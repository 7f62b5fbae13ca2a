import { nameIsPathSegment } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { bindingTable, defaultBinding, validateBinding, validateBindingUpdate } from './bindings.js';

export const roleBindings = defineBuiltin({
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
