const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339 full-date that exists in the calendar. */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (month === 2 && day === 29) return isLeapYear(year);
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
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

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const goSegment = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const goUnitNanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

// Searching for parts in a long run of digits is quadratic, and no duration is that long.
const durationLengthMax = 1024;

/** `1h30m` as Go reads it, or the looser form `22 ns`, `3 days`. */
export function isDuration(text: string): boolean {
  if (text.length > durationLengthMax) return false;
  return isGoDuration(text) || isLooseDuration(text);
}

function isGoDuration(text: string): boolean {
  if (!goDuration.test(text)) return false;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(goSegment)) {
    total += Number(amount) * (goUnitNanoseconds[unit ?? ''] ?? 0);
  }
  return total < 2 ** 63;
}

const exactUnits = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const unitPrefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const loosePart = /(\d+)\s*([A-Za-zµ]+)/g;

function isLooseDuration(text: string): boolean {
  let found = false;
  for (const [, amount = '', unitText = ''] of text.matchAll(loosePart)) {
    if (amount.length > 19 || BigInt(amount) >= 2n ** 63n) return false;
    const unit = unitText.toLowerCase();
    if (exactUnits.has(unit) || unitPrefixes.some((prefix) => unit.startsWith(prefix))) found = true;
  }
  return found;
}
