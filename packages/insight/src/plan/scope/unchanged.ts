import type { Frozen, KubeObject } from '@slipway/kube';

/**
 * Returns whether applying the object would leave the live object unchanged. Returns false when in doubt: lists must have the
 * same length, and values the same notation.
 */
export function isUnchanged(object: KubeObject, live: Frozen<KubeObject>, fieldManager: string): boolean {
  const { metadata, status: _status, ...rest } = object as KubeObject & { readonly status?: unknown };
  const { creationTimestamp: _time, managedFields: _fields, ...named } = metadata;
  const { namespace: _namespace, ...compared } = named;
  if (!covers(rest, live) || !covers(compared, live.metadata)) return false;
  return !removesFields(object, live, fieldManager);
}

function covers(desired: unknown, actual: unknown): boolean {
  if (Array.isArray(desired))
    return (
      Array.isArray(actual) &&
      actual.length === desired.length &&
      desired.every((item, index) => covers(item, actual[index]))
    );
  if (typeof desired !== 'object' || desired === null) return desired === actual;
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(desired).every(
    ([name, value]) =>
      Object.hasOwn(actual, name) && covers(value, (actual as Readonly<Record<string, unknown>>)[name]),
  );
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: unknown;
}

/**
 * Returns whether server-side apply would remove fields: those that the manager applied before and that the object no longer has.
 */
function removesFields(object: KubeObject, { metadata }: Frozen<KubeObject>, fieldManager: string): boolean {
  const entries = (metadata.managedFields ?? []) as readonly ManagedFields[];
  return entries.some(
    ({ manager, operation, subresource = '', fieldsV1 }) =>
      manager === fieldManager && operation === 'Apply' && subresource === '' && lacks(object, fieldsV1),
  );
}

/** Returns whether the value lacks one of the fields. `fields` has the format of fieldsV1. */
function lacks(value: unknown, fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false;
  return Object.entries(fields).some(([step, inner]) => {
    if (step === '.') return false;
    const found = valueAt(value, step);
    return found === undefined || lacks(found, inner);
  });
}

/** Returns the value at one step of fieldsV1: `f:name`, `k:{"key":"value"}` or `v:"value"`. */
function valueAt(value: unknown, step: string): unknown {
  const name = step.slice(2);
  if (step.startsWith('f:'))
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Readonly<Record<string, unknown>>)[name]
      : undefined;
  if (!Array.isArray(value)) return undefined;
  const wanted: unknown = JSON.parse(name);
  return value.find((item: unknown) => covers(wanted, item)) as unknown;
}
