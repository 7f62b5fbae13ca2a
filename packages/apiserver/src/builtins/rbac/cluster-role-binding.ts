import { nameIsPathSegment } from '@slipway/kube';
import { defineKind } from '../shared/define.js';
import { bindingTable, defaultBinding, validateBinding, validateBindingUpdate } from './bindings.js';

export const clusterRoleBindings = defineKind({
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
