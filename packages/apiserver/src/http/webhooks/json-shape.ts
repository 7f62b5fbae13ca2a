import type { MutableJsonObject } from '@slipway/kube';

/** What a foreign answer must be before anything of it is read. */
export function isPlainObject(value: unknown): value is MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
