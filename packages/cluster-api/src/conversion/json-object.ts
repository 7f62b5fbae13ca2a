import type { MutableJson, MutableJsonObject } from '@slipway/kube';

export function isObject(value: MutableJson | undefined): value is MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEmpty(value: MutableJsonObject): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/** Returns a member of an object. Ignores inherited properties. */
export function member(value: MutableJsonObject, key: string): MutableJson | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
