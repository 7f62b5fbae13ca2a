import { parseQuantity } from '@slipway/kube';

/** Returns the quantity in nano units. An absent quantity is zero; typed decoding has rejected invalid ones. */
export function quantityNanos(value: unknown): bigint {
  return typeof value === 'string' ? parseQuantity(value).nanos : 0n;
}
