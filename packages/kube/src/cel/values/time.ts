import { Duration, Failure, Timestamp } from './value.js';

export const NANOS_PER_SECOND = 1_000_000_000n;
const INT64_MAX = 2n ** 63n - 1n;
const TIMESTAMP_MIN = -62_135_596_800n * NANOS_PER_SECOND;
const TIMESTAMP_MAX = 253_402_300_799n * NANOS_PER_SECOND + 999_999_999n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['h', 3_600n * NANOS_PER_SECOND],
]);

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

const DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/;
const DURATION_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g;

/** Go's duration syntax: `1h30m`, `-1.5s`, `0`. */
export function parseGoDuration(text: string): bigint | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  let total = 0n;
  for (const part of (match[2] ?? '').matchAll(DURATION_PART)) total += durationPart(part);
  const signed = match[1] === '-' ? -total : total;
  return fitsInt64(signed) ? signed : undefined;
}

function durationPart([, whole = '', fraction = '', unit = '']: RegExpMatchArray): bigint {
  const scale = UNITS.get(unit) ?? 0n;
  const digits = fraction.slice(0, 18);
  const parts = digits === '' ? 0n : (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
  // More digits than any 64-bit number has are read as one too many: parsing millions of them would take seconds.
  const count = whole.length > 20 ? 2n ** 70n : BigInt(whole === '' ? 0 : whole);
  return count * scale + parts;
}

const LONG_UNITS: ReadonlyArray<readonly [RegExp, bigint]> = [
  [/^(ns|nano.*)$/i, 1n],
  [/^(us|µs|micro.*)$/i, 1_000n],
  [/^(ms|milli.*)$/i, 1_000_000n],
  [/^(s|sec.*)$/i, NANOS_PER_SECOND],
  [/^(m|min.*)$/i, 60n * NANOS_PER_SECOND],
  [/^(h|hr|hour.*)$/i, 3_600n * NANOS_PER_SECOND],
  [/^(d|day.*)$/i, 86_400n * NANOS_PER_SECOND],
  [/^(w|wk|week.*)$/i, 604_800n * NANOS_PER_SECOND],
];

/** The `duration` format of schemas also takes words: `2 days`, `3 wk`. */
export function parseFormatDuration(text: string): bigint | undefined {
  const exact = parseGoDuration(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const [, count = '0', unit = ''] of text.matchAll(/(?<!\d)(\d{1,20})\s*([A-Za-zµ]+)/g)) {
    const scale = LONG_UNITS.find(([pattern]) => pattern.test(unit))?.[1];
    if (scale !== undefined) total = (total ?? 0n) + BigInt(count) * scale;
  }
  return total;
}

/** As Go prints durations: `1h0m0s`, `1.5s`, `100ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 3)}µs`;
  if (value < NANOS_PER_SECOND) return `${sign}${decimal(value, 6)}ms`;
  const minutes = value / (60n * NANOS_PER_SECOND);
  const seconds = decimal(value % (60n * NANOS_PER_SECOND), 9);
  if (minutes === 0n) return `${sign}${seconds}s`;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}s` : `${sign}${hours}h${minutes % 60n}m${seconds}s`;
}

/** `1500` with three places is `1.5`. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** How `string(duration)` prints: seconds with a fraction. */
export function formatDurationSeconds(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  return `${sign}${decimal(nanoseconds < 0n ? -nanoseconds : nanoseconds, 9)}s`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)?$/;

/** Nanoseconds since 1970. Without `zoneOptional`, a time must say its zone. */
export function parseRfc3339(text: string, zoneOptional = false): bigint | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = match;
  if (zone === '' && !zoneOptional) return undefined;
  const date = utcSeconds(Number(year), Number(month), Number(day));
  const clock = clockSeconds(Number(hour), Number(minute), Number(second));
  const offset = zoneSeconds(zone);
  if (date === undefined || clock === undefined || offset === undefined) return undefined;
  return BigInt(date + clock - offset) * NANOS_PER_SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

export function parseDate(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return undefined;
  const seconds = utcSeconds(Number(match[1]), Number(match[2]), Number(match[3]));
  return seconds === undefined ? undefined : BigInt(seconds) * NANOS_PER_SECOND;
}

function utcSeconds(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 1000 : undefined;
}

function clockSeconds(hour: number, minute: number, second: number): number | undefined {
  return hour <= 23 && minute <= 59 && second <= 59 ? hour * 3600 + minute * 60 + second : undefined;
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === '' || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24 || minutes > 60) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Splits into whole seconds, rounded down, and the nanoseconds above them. */
export function splitSeconds(nanoseconds: bigint): { readonly seconds: bigint; readonly nanos: bigint } {
  const nanos = ((nanoseconds % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return { seconds: (nanoseconds - nanos) / NANOS_PER_SECOND, nanos };
}

export function formatTimestamp(nanoseconds: bigint): string {
  const { seconds, nanos } = splitSeconds(nanoseconds);
  const base = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${base}${fraction}Z`;
}
