import { isTime, parseTime } from '@slipway/kube';

/** Milliseconds; undefined for what is no time. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' && isTime(value) ? parseTime(value) : undefined;
}
