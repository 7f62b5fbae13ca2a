import { parseQuantity } from '@slipway/kube';

/** The quantity in nano units. Absent counts as zero; typed decoding has rejected invalid quantities. */
export function quantityNanos(value: unknown): bigint {
  return typeof value === 'string' ? parseQuantity(value).nanos : 0n;
}
