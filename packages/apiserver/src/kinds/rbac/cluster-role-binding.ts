import { nameIsPathSegment } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { bindingTable, defaultBinding, validateBinding, validateBindingUpdate } from './bindings.js';

export const clusterRoleBindings = defineBuiltin({
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  createOnUpdate: true,
  table: bindingTable,
  strategy: {
    name: nameIsPathSegment,
    defaults: defaultBinding,
    validate: (binding) => validateBinding(binding, false),
    validateUpdate: validateBindingUpdate,
  },
});
