import { isTime, parseTime } from '@slipway/kube';

/** The instant that a field names in milliseconds since the epoch; undefined for what is no time. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' && isTime(value) ? parseTime(value) : undefined;
}
