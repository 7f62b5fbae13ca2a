import { parseQuantity } from '@slipway/kube';

/** The amount in billionths. Absent counts as nothing; decoding has refused what does not parse. */
export function quantityNanos(value: unknown): bigint {
  return typeof value === 'string' ? parseQuantity(value).nanos : 0n;
}
