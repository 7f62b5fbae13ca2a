import { type Frozen, type JsonObject, type JsonValue, type KubeObject, valueAt } from '@slipway/kube';

export type ProviderObject = Frozen<KubeObject>;

/**
 * Returns the field at a path. Provider objects are not validated, so it may have any type. The typed functions below treat a
 * value of the wrong type as unset.
 */
export function fieldAt(object: ProviderObject, ...path: readonly string[]): JsonValue | undefined {
  return valueAt(object, ...path) as JsonValue | undefined;
}

export function textAt(object: ProviderObject, ...path: readonly string[]): string | undefined {
  const value = fieldAt(object, ...path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberAt(object: ProviderObject, ...path: readonly string[]): number | undefined {
  const value = fieldAt(object, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** Whether the field is true. False if it is absent. */
export function flagAt(object: ProviderObject, ...path: readonly string[]): boolean {
  return fieldAt(object, ...path) === true;
}

export function objectAt(object: ProviderObject, ...path: readonly string[]): JsonObject | undefined {
  const value = fieldAt(object, ...path);
  return isObject(value) ? value : undefined;
}

export function listAt(object: ProviderObject, ...path: readonly string[]): readonly JsonValue[] {
  const value = fieldAt(object, ...path);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
