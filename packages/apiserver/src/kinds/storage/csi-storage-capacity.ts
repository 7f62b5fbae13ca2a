import { deepEqual, type FieldError, invalidField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { type Fields, text } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';
import { column, nameColumn, printer } from '../shared/table.js';
import { immutable, reference, validateSelector } from '../shared/validation.js';

export const csiStorageCapacities = defineBuiltin({
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  unconditionalUpdate: false,
  table: printer([
    nameColumn,
    column('StorageClassName', (object) => text(object.storageClassName)),
    column('Capacity', (object) => text(object.capacity) || '<unset>'),
  ]),
  strategy: {
    validate,
    validateUpdate: (object, old) => [
      ...immutable('nodeTopology', deepEqual(object.nodeTopology, old.nodeTopology), object.nodeTopology),
      ...immutable('storageClassName', object.storageClassName === old.storageClassName, object.storageClassName),
    ],
  },
});

function validate(object: Fields): FieldError[] {
  const errors = [
    ...validateSelector(object.nodeTopology, 'nodeTopology'),
    ...reference('storageClassName', object.storageClassName),
  ];
  for (const key of ['capacity', 'maximumVolumeSize']) {
    if (quantityNanos(object[key]) < 0n)
      errors.push(invalidField(key, object[key], 'must be greater than or equal to 0'));
  }
  return errors;
}
