import type { MutableJsonObject } from '@slipway/kube';

/** Shape checks of responses from webhooks. */
export function isPlainObject(value: unknown): value is MutableJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
