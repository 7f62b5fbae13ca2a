import { deepEqual, duplicateField, type FieldError, forbiddenField, invalidField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, fill, list, sortedKeys, text } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';
import { column, nameColumn, printer } from '../shared/table.js';
import { qualifiedName } from '../shared/validation.js';

export const limitRanges = defineBuiltin({
  group: '',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  createOnUpdate: true,
  table: printer([
    nameColumn,
    { ...column('Created At', (range) => fields(range.metadata).creationTimestamp ?? null), type: 'date' },
  ]),
  strategy: { defaults, validate },
});

/** Sets the defaults of container limits: `default` from `max`, then `defaultRequest` from `default` and from `min`. */
function defaults(range: Fields): void {
  for (const limit of list(fields(range.spec).limits)) {
    if (limit.type !== 'Container') continue;
    for (const [target, source] of [
      ['default', 'max'],
      ['defaultRequest', 'default'],
      ['defaultRequest', 'min'],
    ] as const) {
      if (limit[source] === undefined) continue;
      const filled = { ...fields(limit[target]) };
      fill(filled, fields(limit[source]));
      if (!deepEqual(limit[target], filled)) limit[target] = filled;
    }
  }
}

function validate(range: Fields): FieldError[] {
  const seen = new Set<unknown>();
  return list(fields(range.spec).limits).flatMap((limit, index) => {
    const path = `spec.limits[${index}]`;
    const errors = qualifiedName(`${path}.type`, text(limit.type));
    if (seen.has(limit.type)) errors.push(duplicateField(`${path}.type`, limit.type));
    seen.add(limit.type);
    return [...errors, ...validateLimit(limit, path)];
  });
}

interface Order {
  readonly low: string;
  readonly high: string;
  /** Field path of the error that upstream reports. `shows` is the field whose value the error quotes. */
  readonly at: string;
  readonly shows: string;
  readonly messages: readonly [low: string, high: string];
}

const orders: readonly Order[] = [
  { low: 'min', high: 'max', at: 'min', shows: 'min', messages: ['min', 'max'] },
  {
    low: 'min',
    high: 'defaultRequest',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    messages: ['min', 'default request'],
  },
  {
    low: 'defaultRequest',
    high: 'max',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    messages: ['default request', 'max'],
  },
  {
    low: 'defaultRequest',
    high: 'default',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    messages: ['default request', 'default limit'],
  },
  { low: 'min', high: 'default', at: 'default', shows: 'min', messages: ['min', 'default'] },
  { low: 'default', high: 'max', at: 'default', shows: 'max', messages: ['default', 'max'] },
];

function validateLimit(limit: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (limit.type === 'Pod') {
    for (const key of ['default', 'defaultRequest']) {
      if (limit[key] !== undefined)
        errors.push(forbiddenField(`${path}.${key}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  const names = new Set(['max', 'min', 'default', 'defaultRequest'].flatMap((key) => sortedKeys(limit[key])));
  for (const name of names) {
    for (const { low, high, at, shows, messages } of orders) {
      const [small, large] = [fields(limit[low])[name], fields(limit[high])[name]];
      if (small === undefined || large === undefined || quantityNanos(small) <= quantityNanos(large)) continue;
      const why = `${messages[0]} value ${text(small)} is greater than ${messages[1]} value ${text(large)}`;
      errors.push(invalidField(`${path}.${at}[${name}]`, fields(limit[shows])[name], why));
    }
  }
  return errors;
}
