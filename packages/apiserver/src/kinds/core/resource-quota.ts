import { type FieldError, invalidField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, sortedKeys, text } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { qualifiedName } from '../shared/validation.js';

export const resourceQuotas = defineBuiltin({
  group: '',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  status: true,
  returnsDeleted: true,
  table: printer([
    nameColumn,
    column('Request', (quota) => usageOf(quota, (name) => !name.startsWith('limits.'))),
    column('Limit', (quota) => usageOf(quota, (name) => name.startsWith('limits.'))),
    ageColumn,
  ]),
  strategy: { validate },
});

function usageOf(quota: Fields, includes: (name: string) => boolean): string {
  const { hard, used } = fields(quota.status);
  return sortedKeys(hard)
    .filter(includes)
    .map((name) => `${name}: ${text(fields(used)[name]) || '0'}/${text(fields(hard)[name])}`)
    .join(', ');
}

function validate(quota: Fields): FieldError[] {
  const hard = fields(fields(quota.spec).hard);
  return sortedKeys(hard).flatMap((name) => {
    const path = `spec.hard[${name}]`;
    const errors = qualifiedName(path, name);
    if (quantityNanos(hard[name]) < 0n)
      errors.push(invalidField(path, hard[name], 'must be greater than or equal to 0'));
    return errors;
  });
}
