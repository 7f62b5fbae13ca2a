import { deepEqual, type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';
import { immutable, nonNegative } from '../shared/validation.js';

export const controllerRevisions = defineBuiltin({
  group: 'apps',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  table: printer([
    nameColumn,
    column('Controller', ownerOf),
    column('Revision', (object) => number(object.revision)),
    ageColumn,
  ]),
  strategy: {
    validate: (object) => [
      ...nonNegative('revision', object.revision),
      ...(object.data === undefined ? [requiredField('data', 'data is mandatory')] : []),
    ],
    validateUpdate: (object, old): FieldError[] => immutable('data', deepEqual(object.data, old.data), object.data),
  },
});

function ownerOf(object: Fields): string {
  const owner = list(fields(object.metadata).ownerReferences).find(({ controller }) => controller === true);
  if (owner === undefined) return orNone('');
  const group = text(owner.apiVersion).split('/').slice(0, -1).join('/');
  const kind = text(owner.kind).toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${text(owner.name)}`;
}
