import { defineBuiltin } from '../shared/define-builtin.js';
import { fields } from '../shared/fields.js';
import { bindingTable, defaultMatch, validateBindingSpec } from './policies.js';

export const mutatingAdmissionPolicyBindings = defineBuiltin({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  unconditionalUpdate: false,
  generation: ['spec'],
  table: bindingTable,
  strategy: {
    defaults: (binding) => defaultMatch(fields(binding.spec).matchResources),
    validate: (binding) => validateBindingSpec(fields(binding.spec)),
  },
});
