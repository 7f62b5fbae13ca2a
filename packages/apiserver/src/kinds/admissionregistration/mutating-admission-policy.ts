import { type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, text } from '../shared/fields.js';
import { oneOf } from '../shared/validation.js';
import { policyExpressions, validateExpression } from './expressions.js';
import { defaultMatch, policyTable, validatePolicySpec } from './policies.js';

export const mutatingAdmissionPolicies = defineBuiltin({
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  unconditionalUpdate: false,
  generation: ['spec'],
  table: policyTable('Mutations', 'mutations'),
  strategy: {
    defaults(policy) {
      const spec = child(policy, 'spec');
      fill(spec, { failurePolicy: 'Fail' });
      defaultMatch(spec.matchConstraints);
    },
    validate: (policy) => validate(fields(policy.spec)),
  },
});

const bodies: Readonly<Record<string, string>> = { JSONPatch: 'jsonPatch', ApplyConfiguration: 'applyConfiguration' };

function validate(spec: Fields): FieldError[] {
  const mutations = list(spec.mutations);
  const errors = validatePolicySpec(spec);
  const { options } = policyExpressions(spec);
  if (mutations.length === 0) errors.push(requiredField('spec.mutations', 'mutations must contain at least one item'));
  for (const [index, mutation] of mutations.entries()) {
    const path = `spec.mutations[${index}]`;
    const type = text(mutation.patchType);
    errors.push(...oneOf(`${path}.patchType`, mutation.patchType, Object.keys(bodies)));
    const body = Object.hasOwn(bodies, type) ? bodies[type] : undefined;
    if (body !== undefined && text(fields(mutation[body]).expression).trim() === '') {
      errors.push(requiredField(`${path}.${body}.expression`, 'must be specified'));
    } else if (body !== undefined) {
      const role = body === 'jsonPatch' ? 'jsonPatch' : 'applyConfiguration';
      errors.push(
        ...validateExpression(`${path}.${body}.expression`, fields(mutation[body]).expression, role, options),
      );
    }
  }
  return [...errors, ...oneOf('spec.reinvocationPolicy', spec.reinvocationPolicy, ['IfNeeded', 'Never'])];
}
