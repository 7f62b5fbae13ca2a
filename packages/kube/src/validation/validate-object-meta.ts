import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupported,
  requiredField,
  tooLong,
} from '../errors/field-error.js';
import { deepEqual } from '../json/deep.js';
import { parseApiVersion } from '../meta/group-version.js';
import {
  checkDns1123Label,
  checkLabelValue,
  checkQualifiedName,
  type NameRule,
  nameIsDnsSubdomain,
} from '../meta/name-rules.js';
import type { Frozen, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../meta/object-meta.js';

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Rule for the name. Defaults to the rule for DNS-1123 subdomains. */
  readonly validateName?: NameRule;
  /**
   * Whether the object is a custom resource. Its finalizers may have no domain; these cause only a warning (see
   * finalizerWarnings).
   */
  readonly custom?: boolean;
}

type Meta = Frozen<ObjectMeta>;
type ManagerEntry = Readonly<Omit<ManagedFieldsEntry, 'fieldsV1'>>;

const annotationBytesMax = 256 * 1024;
const fieldManagerBytesMax = 128;
const subresourceBytesMax = 256;
const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';
const standardFinalizers = new Set([orphanFinalizer, foregroundFinalizer, 'kubernetes']);

/** Validates the metadata of a new object. Its name must have been generated already. */
export function validateObjectMeta(meta: Meta, rules: ObjectMetaRules, path = 'metadata'): FieldError[] {
  return [
    ...validateNames(meta, rules.validateName ?? nameIsDnsSubdomain, path),
    ...validateNamespace(meta.namespace ?? '', rules.namespaced, `${path}.namespace`),
    ...validateGeneration(meta.generation ?? 0, `${path}.generation`),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`),
    ...validateFinalizers(meta.finalizers ?? [], `${path}.finalizers`),
    ...validateManagedFields(meta.managedFields ?? [], `${path}.managedFields`),
    ...(rules.custom === true ? [] : validateStandardFinalizers(meta.finalizers ?? [], `${path}.finalizers`)),
  ];
}

/** Validates an update of metadata. Server-owned fields that the client omitted must have been filled in already. */
export function validateObjectMetaUpdate(
  next: Meta,
  previous: Meta,
  rules: Pick<ObjectMetaRules, 'custom'> = {},
  path = 'metadata',
): FieldError[] {
  return [
    ...validateNoNewFinalizers(next, previous, `${path}.finalizers`),
    ...validateVersions(next, previous, path),
    ...validateImmutableMeta(next, previous, path),
    ...validateLabels(next.labels, `${path}.labels`),
    ...validateAnnotations(next.annotations, `${path}.annotations`),
    ...validateOwnerReferences(next.ownerReferences, `${path}.ownerReferences`),
    ...validateManagedFields(next.managedFields ?? [], `${path}.managedFields`),
    ...(rules.custom === true ? [] : validateStandardFinalizers(next.finalizers ?? [], `${path}.finalizers`)),
  ];
}

function validateVersions(next: Meta, previous: Meta, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!next.resourceVersion)
    errors.push(invalidField(`${path}.resourceVersion`, '', 'must be specified for an update'));
  const generation = next.generation ?? 0;
  if (generation < (previous.generation ?? 0))
    errors.push(invalidField(`${path}.generation`, generation, 'must not be decremented'));
  return errors;
}

function validateNames(meta: Meta, rule: NameRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (meta.generateName) {
    for (const text of rule(meta.generateName, true))
      errors.push(invalidField(`${path}.generateName`, meta.generateName, text));
  }
  if (!meta.name) errors.push(requiredField(`${path}.name`, 'name or generateName is required'));
  else for (const text of rule(meta.name)) errors.push(invalidField(`${path}.name`, meta.name, text));
  return errors;
}

function validateNamespace(namespace: string, namespaced: boolean, path: string): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbiddenField(path, 'not allowed on this type')];
  if (namespace === '') return [requiredField(path)];
  return checkDns1123Label(namespace).map((text) => invalidField(path, namespace, text));
}

function validateGeneration(generation: number, path: string): FieldError[] {
  return generation < 0 ? [invalidField(path, generation, 'must be greater than or equal to 0')] : [];
}

export function validateLabels(labels: Meta['labels'] | null, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of sortedEntries(labels)) {
    for (const text of checkQualifiedName(key)) errors.push(invalidField(path, key, text));
    for (const text of checkLabelValue(value)) errors.push(invalidField(path, value, text));
  }
  return errors;
}

export function validateAnnotations(annotations: Meta['annotations'] | null, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of sortedEntries(annotations)) {
    // Annotation prefixes may contain upper case letters, which label prefixes may not.
    for (const text of checkQualifiedName(key.toLowerCase())) errors.push(invalidField(path, key, text));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > annotationBytesMax) errors.push(tooLong(path, annotationBytesMax));
  return errors;
}

/** Returns the entries in a fixed order, which makes responses comparable. Upstream iterates over a map in random order. */
function sortedEntries(map: Readonly<Record<string, string>> | null | undefined): [string, string][] {
  return Object.entries(map ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
}

function validateOwnerReferences(references: Meta['ownerReferences'] | null, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let firstController = '';
  for (const reference of references ?? []) {
    errors.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const controller = `${reference.kind}/${reference.name}`;
    if (firstController === '') firstController = controller;
    else errors.push(invalidField(path, references, secondControllerText(firstController, controller)));
  }
  return errors;
}

function secondControllerText(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
}

function validateOwnerReference(reference: Frozen<OwnerReference>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { group, version } = parseApiVersion(reference.apiVersion ?? '');
  if (version === '')
    errors.push(invalidField(`${path}.apiVersion`, reference.apiVersion ?? '', 'version must not be empty'));
  for (const field of ['kind', 'name', 'uid'] as const)
    if (!reference[field]) errors.push(invalidField(`${path}.${field}`, '', 'must not be empty'));
  // Reject an Event as owner: Events expire, and the object would be garbage-collected with it.
  if (group === '' && version === 'v1' && reference.kind === 'Event')
    errors.push(invalidField(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
  return errors;
}

function validateFinalizers(finalizers: readonly string[], path: string): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    checkQualifiedName(finalizer).map((text) => invalidField(path, finalizer, text)),
  );
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const text = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(invalidField(path, finalizers, text));
  }
  return errors;
}

function validateStandardFinalizers(finalizers: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  finalizers.forEach((finalizer, index) => {
    const at = `${path}[${index}]`;
    for (const text of checkQualifiedName(finalizer)) errors.push(invalidField(at, finalizer, text));
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return;
    errors.push(invalidField(at, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
  });
  return errors;
}

/** Returns warnings for finalizers of custom resources that are accepted although they have no domain. */
export function finalizerWarnings(finalizers: readonly string[] | undefined, path = 'metadata.finalizers'): string[] {
  const warnings: string[] = [];
  for (const finalizer of finalizers ?? []) {
    const about = `${path}: ${JSON.stringify(finalizer)}:`;
    for (const text of checkQualifiedName(finalizer)) warnings.push(`${about} ${text}`);
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) continue;
    const how = finalizer.includes('.') ? ' including a path (/)' : '';
    const why = 'to avoid accidental conflicts with other finalizer writers';
    warnings.push(`${about} prefer a domain-qualified finalizer name${how} ${why}`);
  }
  return warnings;
}

function validateNoNewFinalizers(next: Meta, previous: Meta, path: string): FieldError[] {
  if (!previous.deletionTimestamp) return [];
  const known = new Set(previous.finalizers ?? []);
  const added = [...new Set(next.finalizers ?? [])].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
  const text = 'no new finalizers can be added if the object is being deleted, found new finalizers';
  return [forbiddenField(path, `${text} ${list}`)];
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function validateImmutableMeta(next: Meta, previous: Meta, path: string): FieldError[] {
  return immutableFields
    .filter((field) => !deepEqual(next[field] ?? null, previous[field] ?? null))
    .map((field) => invalidField(`${path}.${field}`, next[field], 'field is immutable'));
}

function validateManagedFields(entries: readonly ManagerEntry[], path: string): FieldError[] {
  return entries.flatMap((entry, index) => validateManagedFieldsEntry(entry, `${path}[${index}]`));
}

function validateManagedFieldsEntry(entry: ManagerEntry, path: string): FieldError[] {
  const errors = validateOperation(entry.operation ?? '', `${path}.operation`);
  const fieldsType: string = entry.fieldsType ?? 'FieldsV1';
  if (fieldsType !== '' && fieldsType !== 'FieldsV1')
    errors.push(invalidField(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  errors.push(...validateFieldManager(entry.manager ?? '', `${path}.manager`));
  if (Buffer.byteLength(entry.subresource ?? '') > subresourceBytesMax)
    errors.push(tooLong(`${path}.subresource`, subresourceBytesMax));
  return errors;
}

function validateOperation(operation: string, path: string): FieldError[] {
  if (operation === '') return [requiredField(path, 'must not be empty')];
  return operation === 'Apply' || operation === 'Update' ? [] : [notSupported(path, operation, ['Apply', 'Update'])];
}

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Validates `?fieldManager=` and the manager of a managedFields entry. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > fieldManagerBytesMax) errors.push(tooLong(path, fieldManagerBytesMax));
  let position = 0;
  for (const character of manager) {
    if (unprintable.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidField(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}
