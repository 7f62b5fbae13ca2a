import { type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, list, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { duplicates } from '../shared/validation.js';

export const csiNodes = defineBuiltin({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  unconditionalUpdate: false,
  returnsDeleted: true,
  table: printer([
    nameColumn,
    column('Drivers', (object) => list(fields(object.spec).drivers).length, 'integer'),
    ageColumn,
  ]),
  strategy: { validate },
});

function validate(object: Fields): FieldError[] {
  const drivers = list(fields(object.spec).drivers);
  const missing = drivers.flatMap((driver, index) =>
    ['name', 'nodeID']
      .filter((key) => text(driver[key]) === '')
      .map((key) => requiredField(`spec.drivers[${index}].${key}`)),
  );
  return [...missing, ...duplicates(drivers, 'spec.drivers', 'name')];
}
