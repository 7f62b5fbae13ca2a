import { Duration, Failure, Timestamp } from './value.js';

export const NANOS_PER_SECOND = 1_000_000_000n;
const INT64_MAX = 2n ** 63n - 1n;
const TIMESTAMP_MIN = -62_135_596_800n * NANOS_PER_SECOND;
const TIMESTAMP_MAX = 253_402_300_799n * NANOS_PER_SECOND + 999_999_999n;

export function fitsInt64(value: bigint): boolean {
  return value >= -INT64_MAX - 1n && value <= INT64_MAX;
}

export function timestampOf(nanoseconds: bigint): Timestamp | Failure {
  const inRange = nanoseconds >= TIMESTAMP_MIN && nanoseconds <= TIMESTAMP_MAX;
  return inRange ? new Timestamp(nanoseconds) : new Failure('timestamp overflow');
}

export function durationOf(nanoseconds: bigint): Duration | Failure {
  return fitsInt64(nanoseconds) ? new Duration(nanoseconds) : new Failure('integer overflow');
}

/** Formats a duration like `string(duration)`: seconds with a fraction. */
export function formatDurationSeconds(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const { seconds, nanos } = splitSeconds(nanoseconds < 0n ? -nanoseconds : nanoseconds);
  return `${sign}${seconds}${fractionText(nanos)}s`;
}

function fractionText(nanos: bigint): string {
  return nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;
}

/** Splits a time into whole seconds, rounded down, and the remaining nanoseconds. */
export function splitSeconds(nanoseconds: bigint): { readonly seconds: bigint; readonly nanos: bigint } {
  const nanos = ((nanoseconds % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return { seconds: (nanoseconds - nanos) / NANOS_PER_SECOND, nanos };
}

export function formatTimestamp(nanoseconds: bigint): string {
  const { seconds, nanos } = splitSeconds(nanoseconds);
  const base = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${base}${fractionText(nanos)}Z`;
}
