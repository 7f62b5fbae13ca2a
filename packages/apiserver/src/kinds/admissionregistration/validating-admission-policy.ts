import { type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, text } from '../shared/fields.js';
import { duplicateConditions, optionalOneOf } from '../shared/validation.js';
import { policyExpressions, validateExpression } from './expressions.js';
import { defaultMatch, policyTable, validatePolicySpec } from './policies.js';

export const validatingAdmissionPolicies = defineBuiltin({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  status: true,
  unconditionalUpdate: false,
  generation: ['spec'],
  table: policyTable('Validations', 'validations'),
  strategy: {
    defaults(policy) {
      const spec = child(policy, 'spec');
      fill(spec, { failurePolicy: 'Fail' });
      defaultMatch(spec.matchConstraints);
    },
    validate: (policy) => validate(fields(policy.spec)),
    validateStatus: (policy) => duplicateConditions(policy),
  },
});

const reasons = ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validate(spec: Fields): FieldError[] {
  const [validations, annotations] = [list(spec.validations), list(spec.auditAnnotations)];
  const errors = validatePolicySpec(spec);
  const { options } = policyExpressions(spec);
  if (validations.length === 0 && annotations.length === 0) {
    errors.push(requiredField('spec.validations', 'validations or auditAnnotations must contain at least one item'));
    errors.push(
      requiredField('spec.auditAnnotations', 'validations or auditAnnotations must contain at least one item'),
    );
  }
  for (const [index, validation] of validations.entries()) {
    const path = `spec.validations[${index}]`;
    if (text(validation.expression).trim() === '')
      errors.push(requiredField(`${path}.expression`, 'expression is not specified'));
    errors.push(
      ...validateExpression(`${path}.expression`, validation.expression, 'condition', options),
      ...validateExpression(`${path}.messageExpression`, validation.messageExpression, 'message', {
        ...options,
        authorizer: false,
      }),
    );
    errors.push(...optionalOneOf(`${path}.reason`, validation.reason, reasons));
  }
  for (const [index, annotation] of annotations.entries()) {
    for (const key of ['key', 'valueExpression']) {
      if (text(annotation[key]).trim() === '') errors.push(requiredField(`spec.auditAnnotations[${index}].${key}`));
    }
    const path = `spec.auditAnnotations[${index}].valueExpression`;
    errors.push(...validateExpression(path, annotation.valueExpression, 'auditAnnotation', options));
  }
  return errors;
}
