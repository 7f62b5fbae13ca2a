import { parseLooseDuration } from '../../text/duration.js';
import { tryParseDate } from '../../text/time.js';

/** RFC 3339 full-date that exists in the calendar. */
export function isDate(text: string): boolean {
  return tryParseDate(text) !== undefined;
}

// Any character may stand before the fraction: upstream's expression leaves the dot unescaped.
const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;

// What servers write: most texts are of this form, and the loose reading below costs several times as much.
const canonical = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** RFC 3339 date-time; letters in either case. */
export function isDateTime(text: string): boolean {
  if (canonical.test(text)) return true;
  const [date = '', time = ''] = text.toLowerCase().split('t');
  if (!isDate(date)) return false;
  const parts = timeOfDay.exec(time);
  return parts !== null && Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

/** `1h30m` as Go reads it, or the looser form `22 ns`, `3 days`. */
export function isDuration(text: string): boolean {
  return parseLooseDuration(text) !== undefined;
}
