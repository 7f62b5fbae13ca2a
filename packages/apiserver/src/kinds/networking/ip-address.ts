import { type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, has, text } from '../shared/fields.js';
import { checkAddress } from '../shared/networks.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';

export const ipAddresses = defineBuiltin({
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  table: printer([nameColumn, column('ParentRef', parentOf), ageColumn]),
  strategy: { name: (name) => checkAddress(name), validate },
});

function parentOf(object: Fields): string {
  const parent = fields(object.spec).parentRef;
  if (!has(parent)) return orNone('');
  const group = text(parent.group);
  const resource = group === '' ? text(parent.resource) : `${text(parent.resource)}.${group}`;
  return [resource, text(parent.namespace), text(parent.name)].filter((part) => part !== '').join('/');
}

function validate(object: Fields): FieldError[] {
  const parent = fields(object.spec).parentRef;
  if (!has(parent)) return [requiredField('spec.parentRef')];
  return ['resource', 'name']
    .filter((key) => text(parent[key]) === '')
    .map((key) => requiredField(`spec.parentRef.${key}`));
}
