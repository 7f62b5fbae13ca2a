import { duplicateField, type FieldError, invalidField, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, texts } from '../shared/fields.js';
import { optionalOneOf } from '../shared/validation.js';
import { bindingTable, defaultMatch, validateBindingSpec } from './policies.js';

export const validatingAdmissionPolicyBindings = defineBuiltin({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  unconditionalUpdate: false,
  generation: ['spec'],
  table: bindingTable,
  strategy: {
    defaults: (binding) => defaultMatch(fields(binding.spec).matchResources),
    validate: (binding) => [...validateBindingSpec(fields(binding.spec)), ...validateActions(fields(binding.spec))],
  },
});

function validateActions(spec: Fields): FieldError[] {
  const path = 'spec.validationActions';
  const actions = texts(spec.validationActions);
  if (actions.length === 0) return [requiredField(path, 'at least one validation action is required')];
  const errors = actions.flatMap((action, index) => [
    ...optionalOneOf(`${path}[${index}]`, action, ['Audit', 'Deny', 'Warn']),
    ...(actions.indexOf(action) < index ? [duplicateField(`${path}[${index}]`, action)] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn')) {
    errors.push(
      invalidField(
        path,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  }
  return errors;
}
