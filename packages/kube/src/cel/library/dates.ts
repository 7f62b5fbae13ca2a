import type { Value } from '../values/index.js';
import { Duration, Failure, splitSeconds, Timestamp } from '../values/index.js';
import type { Implementation, Library, OverloadLine } from './function.js';
import { asText } from './function.js';

type Part = (date: Date, nanos: bigint) => number;

/** Shifts the time so that the UTC getters return local time in the zone. */
function inZone(timestamp: Timestamp, zone: string): { readonly date: Date; readonly nanos: bigint } | Failure {
  const { seconds, nanos } = splitSeconds(timestamp.nanoseconds);
  const offset = zoneOffset(zone, Number(seconds));
  return offset instanceof Failure ? offset : { date: new Date((Number(seconds) + offset) * 1000), nanos };
}

function zoneOffset(zone: string, seconds: number): number | Failure {
  if (zone === '' || zone === 'UTC') return 0;
  const fixed = /^([+-]?)(\d+):(\d+)$/.exec(zone);
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3]) * 60);
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name =
      format.formatToParts(new Date(seconds * 1000)).find((part) => part.type === 'timeZoneName')?.value ?? '';
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name);
    if (match === null) return 0;
    return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0));
  } catch {
    return new Failure(`unknown time zone ${zone}`);
  }
}

function reader(part: Part): Implementation {
  return (value: Value, zone: Value = 'UTC'): Value => {
    if (!(value instanceof Timestamp)) throw new TypeError('expected a timestamp');
    const local = inZone(value, asText(zone));
    return local instanceof Failure ? local : BigInt(part(local.date, local.nanos));
  };
}

function dayOfYear(date: Date): number {
  const newYear = new Date(0);
  newYear.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - newYear.getTime()) / 86_400_000);
}

function dated(id: string, part: Part): readonly OverloadLine[] {
  const read = reader(part);
  return [
    [id, 'timestamp.(): int', read],
    [`${id}_with_tz`, 'timestamp.(string): int', read],
  ];
}

function timed(name: string, part: Part, nanosecondsPerUnit: bigint): readonly OverloadLine[] {
  return [
    ...dated(`timestamp_to_${name}`, part),
    [`duration_to_${name}`, 'duration.(): int', (value) => (value as Duration).nanoseconds / nanosecondsPerUnit],
  ];
}

export const dateLibrary: Library = {
  getFullYear: dated('timestamp_to_year', (date) => date.getUTCFullYear()),
  getMonth: dated('timestamp_to_month', (date) => date.getUTCMonth()),
  getDayOfYear: dated('timestamp_to_day_of_year', dayOfYear),
  getDayOfMonth: dated('timestamp_to_day_of_month', (date) => date.getUTCDate() - 1),
  getDate: dated('timestamp_to_day_of_month_1_based', (date) => date.getUTCDate()),
  getDayOfWeek: dated('timestamp_to_day_of_week', (date) => date.getUTCDay()),
  getHours: timed('hours', (date) => date.getUTCHours(), 3_600_000_000_000n),
  getMinutes: timed('minutes', (date) => date.getUTCMinutes(), 60_000_000_000n),
  getSeconds: timed('seconds', (date) => date.getUTCSeconds(), 1_000_000_000n),
  getMilliseconds: timed('milliseconds', (_date, nanos) => Number(nanos / 1_000_000n), 1_000_000n),
};
