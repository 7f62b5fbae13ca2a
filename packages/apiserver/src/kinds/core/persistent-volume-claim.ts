import { cloneJson, deepEqual, type FieldError, forbiddenField, invalidField, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, put, text, texts } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';
import { ageColumn, column, nameColumn, printer, wide } from '../shared/table.js';
import { dnsSubdomain, optionalOneOf, validateSelector } from '../shared/validation.js';
import { deletingOr, formatAccessModes, unsetText, validateAccessModes, volumeModes } from './persistent-volume.js';

export const persistentVolumeClaims = defineBuiltin({
  group: '',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  status: true,
  returnsDeleted: true,
  table: printer([
    nameColumn,
    column('Status', (claim) => deletingOr(claim, text(fields(claim.status).phase))),
    column('Volume', (claim) => text(fields(claim.spec).volumeName)),
    column('Capacity', (claim) => (isBound(claim) ? text(fields(fields(claim.status).capacity).storage) : '')),
    column('Access Modes', (claim) => (isBound(claim) ? formatAccessModes(fields(claim.status).accessModes) : '')),
    column('StorageClass', (claim) => text(fields(claim.spec).storageClassName)),
    column('VolumeAttributesClass', (claim) => text(fields(claim.spec).volumeAttributesClassName) || unsetText),
    ageColumn,
    wide('VolumeMode', (claim) => text(fields(claim.spec).volumeMode) || unsetText),
  ]),
  strategy: {
    defaults: (claim) => defaultClaimSpec(child(claim, 'spec')),
    prepareCreate(claim) {
      claim.status = { phase: 'Pending' };
    },
    validate: (claim) => validateClaimSpec(fields(claim.spec), 'spec'),
    validateUpdate,
  },
});

function isBound(claim: Fields): boolean {
  return text(fields(claim.spec).volumeName) !== '';
}

export function defaultClaimSpec(spec: Fields): void {
  fill(spec, { volumeMode: 'Filesystem' });
}

function validateClaimSpec(spec: Fields, path: string): FieldError[] {
  const modes = texts(spec.accessModes);
  const errors: FieldError[] =
    modes.length === 0 ? [requiredField(`${path}.accessModes`, 'at least 1 access mode is required')] : [];
  errors.push(
    ...validateSelector(spec.selector, `${path}.selector`),
    ...validateAccessModes(modes, `${path}.accessModes`),
  );
  const size = fields(fields(spec.resources).requests).storage;
  if (size === undefined) errors.push(requiredField(`${path}.resources[storage]`));
  else if (quantityNanos(size) <= 0n)
    errors.push(invalidField(`${path}.resources[storage]`, size, 'must be greater than zero'));
  if (text(spec.storageClassName) !== '')
    errors.push(...dnsSubdomain(`${path}.storageClassName`, spec.storageClassName));
  errors.push(...optionalOneOf(`${path}.volumeMode`, spec.volumeMode, volumeModes));
  return errors;
}

const frozenText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';

function validateUpdate(claim: Fields, old: Fields): FieldError[] {
  const [spec, before] = [fields(claim.spec), fields(old.spec)];
  const errors: FieldError[] = [];
  if (!deepEqual(fixedPart(claim, old), before)) errors.push(forbiddenField('spec', frozenText));
  const [now, then] = [storageOf(spec.resources), storageOf(before.resources)];
  const capacity = quantityNanos(fields(fields(old.status).capacity).storage);
  if (now < then && now <= capacity) {
    errors.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  if (spec.volumeMode !== before.volumeMode)
    errors.push(invalidField('volumeMode', spec.volumeMode, 'field is immutable'));
  return errors;
}

function storageOf(resources: unknown): bigint {
  return quantityNanos(fields(fields(resources).requests).storage);
}

/** Returns the new spec with its mutable fields reset to the old values. What still differs is an invalid change. */
function fixedPart(claim: Fields, old: Fields): Fields {
  const before = fields(old.spec);
  const spec = cloneJson(fields(claim.spec)) as Fields;
  if (text(before.volumeName) === '') put(spec, 'volumeName', before.volumeName);
  // A claim that was created before a default class existed may still get that class.
  if (before.storageClassName === undefined) delete spec.storageClassName;
  if (text(fields(claim.status).phase) !== 'Bound') return spec;
  put(spec, 'volumeAttributesClassName', before.volumeAttributesClassName);
  const size = fields(fields(before.resources).requests).storage;
  if (size !== undefined) put(child(child(spec, 'resources'), 'requests'), 'storage', size);
  return spec;
}
