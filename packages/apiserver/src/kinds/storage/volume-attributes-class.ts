import { deepEqual, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { sortedKeys, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { immutable } from '../shared/validation.js';

export const volumeAttributesClasses = defineBuiltin({
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  shortNames: ['vac'],
  namespaced: false,
  returnsDeleted: true,
  table: printer([nameColumn, column('DriverName', (object) => text(object.driverName)), ageColumn]),
  strategy: {
    validate: (object) => [
      ...(text(object.driverName) === '' ? [requiredField('driverName')] : []),
      ...(sortedKeys(object.parameters).length === 0
        ? [requiredField('parameters', 'must contain at least one key/value pair')]
        : []),
    ],
    validateUpdate: (object, old) => [
      ...immutable('driverName', object.driverName === old.driverName, object.driverName),
      ...immutable('parameters', deepEqual(object.parameters, old.parameters), object.parameters),
    ],
  },
});
