import type { MutableJsonObject } from '@slipway/kube';

/** Whether a value in a webhook response is a JSON object. */
export function isPlainObject(value: unknown): value is MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
