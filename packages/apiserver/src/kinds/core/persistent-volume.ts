import {
  deepEqual,
  type FieldError,
  forbiddenField,
  formatTime,
  invalidField,
  notSupported,
  requiredField,
} from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, sortedKeys, text, texts } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';
import { ageColumn, column, nameColumn, printer, wide } from '../shared/table.js';
import { optionalOneOf } from '../shared/validation.js';
import { jsonFieldsOf } from '../types/index.js';

const sourceMessage = 'k8s.io.api.core.v1.PersistentVolumeSource';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;
export const volumeModes = ['Block', 'Filesystem'] as const;
export const unsetText = '<unset>';

export const persistentVolumes = defineBuiltin({
  group: '',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  status: true,
  returnsDeleted: true,
  table: printer([
    nameColumn,
    column('Capacity', (volume) => text(fields(fields(volume.spec).capacity).storage)),
    column('Access Modes', (volume) => formatAccessModes(fields(volume.spec).accessModes)),
    column('Reclaim Policy', (volume) => text(fields(volume.spec).persistentVolumeReclaimPolicy)),
    column('Status', (volume) => deletingOr(volume, text(fields(volume.status).phase))),
    column('Claim', claimOf),
    column('StorageClass', (volume) => text(fields(volume.spec).storageClassName)),
    column('VolumeAttributesClass', (volume) => text(fields(volume.spec).volumeAttributesClassName) || unsetText),
    column('Reason', (volume) => text(fields(volume.status).reason)),
    ageColumn,
    wide('VolumeMode', (volume) => text(fields(volume.spec).volumeMode) || unsetText),
  ]),
  strategy: {
    defaults(volume) {
      const spec = child(volume, 'spec');
      fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
      if (has(spec.hostPath)) fill(spec.hostPath, { type: '' });
    },
    prepareCreate(volume, context) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(context.now) };
    },
    validate: (volume) => validateSpec(fields(volume.spec)),
    validateUpdate,
  },
});

const modeLetters: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export function formatAccessModes(modes: unknown): string {
  const given = texts(modes);
  return Object.entries(modeLetters)
    .filter(([mode]) => given.includes(mode))
    .map(([, letters]) => letters)
    .join(',');
}

export function deletingOr(object: Fields, otherwise: string): string {
  return text(fields(object.metadata).deletionTimestamp) === '' ? otherwise : 'Terminating';
}

function claimOf(volume: Fields): string {
  const claim = fields(volume.spec).claimRef;
  return has(claim) ? `${text(claim.namespace)}/${text(claim.name)}` : '';
}

export function validateAccessModes(modes: readonly string[], path: string): FieldError[] {
  const errors = modes.flatMap((mode) => optionalOneOf(path, mode, accessModes));
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
    errors.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function validateSpec(spec: Fields): FieldError[] {
  const modes = texts(spec.accessModes);
  const errors: FieldError[] =
    modes.length === 0 ? [requiredField('spec.accessModes')] : validateAccessModes(modes, 'spec.accessModes');
  errors.push(...validateCapacity(fields(spec.capacity)));
  errors.push(
    ...optionalOneOf('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...optionalOneOf('spec.volumeMode', spec.volumeMode, volumeModes),
  );
  const [first, ...others] = [...jsonFieldsOf(sourceMessage).keys()].filter((key) => has(spec[key]));
  if (first === undefined) errors.push(requiredField('spec', 'must specify a volume type'));
  errors.push(...others.map((key) => forbiddenField(`spec.${key}`, 'may not specify more than 1 volume type')));
  return errors;
}

function validateCapacity(capacity: Fields): FieldError[] {
  const names = sortedKeys(capacity);
  if (names.length === 0)
    return [requiredField('spec.capacity'), notSupported('spec.capacity', undefined, ['storage'])];
  return names.flatMap((name) =>
    quantityNanos(capacity[name]) > 0n
      ? []
      : [invalidField(`spec.capacity[${name}]`, capacity[name], 'must be greater than zero')],
  );
}

function validateUpdate(volume: Fields, old: Fields): FieldError[] {
  const [spec, before] = [fields(volume.spec), fields(old.spec)];
  const keys = [...jsonFieldsOf(sourceMessage).keys()];
  const same = keys.every((key) => deepEqual(spec[key], before[key]));
  const errors = same
    ? []
    : [forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')];
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalidField('volumeMode', spec.volumeMode, 'field is immutable'));
  return errors;
}
