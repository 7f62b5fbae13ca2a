import { parseLooseDuration } from '../../text/duration.js';
import { tryParseDate } from '../../text/time.js';

/** An RFC 3339 full-date that exists in the calendar. */
export function isDate(text: string): boolean {
  return tryParseDate(text) !== undefined;
}

// Matches a time of day. As in upstream, any character may precede the fraction, because its regular expression does not escape
// the dot.
const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;

// Fast path for the format that servers write. The lenient parser below is several times slower.
const canonical = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** An RFC 3339 date-time, with letters in upper or lower case. */
export function isDateTime(text: string): boolean {
  if (canonical.test(text)) return true;
  const [date = '', time = ''] = text.toLowerCase().split('t');
  if (!isDate(date)) return false;
  const parts = timeOfDay.exec(time);
  return parts !== null && Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

/** A Go duration such as `1h30m`, or the lenient form `22 ns`, `3 days`. */
export function isDuration(text: string): boolean {
  return parseLooseDuration(text) !== undefined;
}
