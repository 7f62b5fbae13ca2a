const layoutSeconds = '2006-01-02T15:04:05Z07:00';
const layoutMicro = '2006-01-02T15:04:05.000000Z07:00';

/** The elements of RFC 3339 in Go's parse order, with the layout names that its error messages contain. */
const elements: readonly { readonly pattern: RegExp; readonly layout: string }[] = [
  { pattern: /[0-9]{4}/y, layout: '2006' },
  { pattern: /-/y, layout: '-' },
  { pattern: /[0-9]{2}/y, layout: '01' },
  { pattern: /-/y, layout: '-' },
  { pattern: /[0-9]{2}/y, layout: '02' },
  { pattern: /T/y, layout: 'T' },
  { pattern: /[0-9]{1,2}/y, layout: '15' },
  { pattern: /:/y, layout: ':' },
  { pattern: /[0-9]{2}/y, layout: '04' },
  { pattern: /:/y, layout: ':' },
  { pattern: /[0-9]{2}/y, layout: '05' },
];
const fraction = /[.,][0-9]+/y;
const microFraction = /\.[0-9]{6}(?![0-9])/y;
const zone = /Z|[-+][0-9]{2}:[0-9]{2}/y;

interface Instant {
  /** Whole seconds since the epoch, in milliseconds. */
  readonly secondsMs: number;
  /** The digits after the decimal point, not rounded; '' if there are none. */
  readonly fractionDigits: string;
}

let lastSecond = Number.NaN;
let lastText = '';

/** Formats milliseconds since the epoch as metav1.Time: UTC, whole seconds. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  // Cache the last result, because nearly all calls format the current time.
  if (second === lastSecond) return lastText;
  const text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  [lastSecond, lastText] = [second, text];
  return text;
}

/** Formats milliseconds since the epoch as metav1.MicroTime: UTC, six digits. */
export function formatMicroTime(ms: number): string {
  const micros = Math.floor((ms - Math.floor(ms / 1000) * 1000) * 1000);
  return `${formatTime(ms).slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/** Parses RFC 3339 to milliseconds since the epoch, with fractions. Throws with Go's message. */
export function parseTime(text: string): number {
  if (canonical.test(text)) return canonicalMs(text);
  const instant = read(text, layoutSeconds, fraction, true);
  return instant.secondsMs + Number(`0.${instant.fractionDigits || '0'}`) * 1000;
}

/** Returns the same time in the canonical form that a typed field of upstream stores. Throws with Go's message. */
export function normalizeTime(text: string): string {
  if (canonical.test(text)) {
    canonicalMs(text);
    return text;
  }
  return formatTime(read(text, layoutSeconds, fraction, true).secondsMs);
}

/** Returns the same time as a MicroTime, which requires exactly six digits, like upstream's layout. Throws with Go's message. */
export function normalizeMicroTime(text: string): string {
  const instant = read(text, layoutMicro, microFraction, false);
  return `${formatTime(instant.secondsMs).slice(0, 19)}.${instant.fractionDigits}Z`;
}

/** Fast path for the most common format. */
const canonical = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;

function canonicalMs(text: string): number {
  const fields: Fields = [
    two(text, 0) * 100 + two(text, 2),
    two(text, 5),
    two(text, 8),
    two(text, 11),
    two(text, 14),
    two(text, 17),
  ];
  checkRanges(text, fields);
  return toMs(fields);
}

/** Returns the number that two digits represent. */
function two(text: string, offset: number): number {
  return (text.charCodeAt(offset) - 48) * 10 + text.charCodeAt(offset + 1) - 48;
}

export function isTime(text: string): boolean {
  return tryParseTimeNanos(text) !== undefined;
}

/** Returns the milliseconds since the epoch of a field that may contain a time, or undefined if it does not. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return parseTime(value);
  } catch {
    return undefined;
  }
}

/** Returns the nanoseconds since the epoch, or undefined if `parseTime` would throw. */
export function tryParseTimeNanos(text: string): bigint | undefined {
  try {
    if (canonical.test(text)) return BigInt(canonicalMs(text)) * 1_000_000n;
    const { secondsMs, fractionDigits } = read(text, layoutSeconds, fraction, true);
    return BigInt(secondsMs) * 1_000_000n + BigInt(fractionDigits.slice(0, 9).padEnd(9, '0'));
  } catch {
    return undefined;
  }
}

/** Returns the start of an RFC 3339 full-date (`2024-02-29`) in milliseconds since the epoch. Undefined for anything else. */
export function tryParseDate(text: string): number | undefined {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isReal ? toMs([year, month, day, 0, 0, 0]) : undefined;
}

function read(text: string, layout: string, fractionPattern: RegExp, fractionOptional: boolean): Instant {
  const parts: string[] = [];
  let offset = 0;
  const take = (pattern: RegExp, name: string, optional = false): string => {
    pattern.lastIndex = offset;
    const match = pattern.exec(text)?.[0] ?? '';
    if (match === '' && !optional)
      throw new Error(`${prefix(text)} as "${layout}": cannot parse ${quote(text.slice(offset))} as "${name}"`);
    offset += match.length;
    return match;
  };
  for (const element of elements) parts.push(take(element.pattern, element.layout));
  const fractionText = take(fractionPattern, '.000000', fractionOptional);
  const zoneText = take(zone, 'Z07:00');
  if (offset < text.length) throw new Error(`${prefix(text)}: extra text: ${quote(text.slice(offset))}`);
  const fields = [parts[0], parts[2], parts[4], parts[6], parts[8], parts[10]].map(Number) as Fields;
  checkRanges(text, fields);
  return { secondsMs: toMs(fields) - zoneOffsetMs(text, zoneText), fractionDigits: fractionText.slice(1) };
}

type Fields = [number, number, number, number, number, number];

function checkRanges(text: string, [year, month, day, hour, minute, second]: Fields): void {
  const wrong =
    month < 1 || month > 12
      ? 'month'
      : hour > 23
        ? 'hour'
        : minute > 59
          ? 'minute'
          : second > 59
            ? 'second'
            : day < 1 || day > daysIn(year, month)
              ? 'day'
              : undefined;
  if (wrong !== undefined) throw new Error(`${prefix(text)}: ${wrong} out of range`);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function toMs([year, month, day, hour, minute, second]: Fields): number {
  if (year >= 100) return Date.UTC(year, month - 1, day, hour, minute, second);
  // Do not use Date.UTC: it maps the years 0 to 99 to the twentieth century.
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
}

function zoneOffsetMs(text: string, zoneText: string): number {
  if (zoneText === 'Z') return 0;
  const hours = Number(zoneText.slice(1, 3));
  const minutes = Number(zoneText.slice(4, 6));
  // Like Go, accept offsets of 24 hours and of 60 minutes.
  if (hours > 24) throw new Error(`${prefix(text)}: time zone offset hour out of range`);
  if (minutes > 60) throw new Error(`${prefix(text)}: time zone offset minute out of range`);
  return (zoneText.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function prefix(text: string): string {
  return `parsing time ${quote(text)}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
