import { deepEqual, type FieldError, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, fill, sortedKeys, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { immutable, oneOf } from '../shared/validation.js';

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClasses = defineBuiltin({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  returnsDeleted: true,
  table: printer([
    { ...nameColumn, cell: nameOf },
    column('Provisioner', (object) => text(object.provisioner)),
    column('ReclaimPolicy', (object) => text(object.reclaimPolicy)),
    column('VolumeBindingMode', (object) => text(object.volumeBindingMode)),
    column('AllowVolumeExpansion', (object) => object.allowVolumeExpansion === true),
    ageColumn,
  ]),
  strategy: {
    defaults(object) {
      fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    },
    validate,
    validateUpdate,
  },
});

function nameOf(object: Fields): string {
  const { name, annotations } = fields(object.metadata);
  const isDefault = defaultAnnotations.some((key) => fields(annotations)[key] === 'true');
  return isDefault ? `${text(name)} (default)` : text(name);
}

function validate(object: Fields): FieldError[] {
  const errors: FieldError[] = text(object.provisioner) === '' ? [requiredField('provisioner')] : [];
  for (const key of sortedKeys(object.parameters))
    if (key === '') errors.push(requiredField('parameters', 'field can not be empty.'));
  return [
    ...errors,
    ...oneOf('reclaimPolicy', object.reclaimPolicy, ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ];
}

function validateUpdate(object: Fields, old: Fields): FieldError[] {
  return ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
    immutable(key, deepEqual(object[key], old[key]), object[key]),
  );
}
