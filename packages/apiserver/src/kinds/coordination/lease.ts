import { type FieldError, forbiddenField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { nonNegative, positive } from '../shared/validation.js';

export const leases = defineBuiltin({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  // Leader election relies on conditional writes; an unconditional one would break it.
  unconditionalUpdate: false,
  createOnUpdate: true,
  table: printer([nameColumn, column('Holder', (lease) => text(fields(lease.spec).holderIdentity)), ageColumn]),
  strategy: { validate: (lease) => validateSpec(fields(lease.spec)) },
});

function validateSpec(spec: Fields): FieldError[] {
  const errors = [
    ...positive('spec.leaseDurationSeconds', spec.leaseDurationSeconds),
    ...nonNegative('spec.leaseTransitions', spec.leaseTransitions),
  ];
  if (text(spec.preferredHolder) !== '' && text(spec.strategy) === '') {
    errors.push(forbiddenField('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  }
  return errors;
}
