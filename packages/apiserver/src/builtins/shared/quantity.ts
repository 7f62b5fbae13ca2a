import { parseQuantity } from '@slipway/kube';

/** The amount in billionths. Absent counts as nothing; decoding has refused what does not parse. */
export function quantityNanos(value: unknown): bigint {
  return value === undefined ? 0n : parseQuantity(String(value)).nanos;
}
