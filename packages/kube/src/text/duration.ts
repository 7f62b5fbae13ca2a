const nanosPerUnit = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const int64Max = 9_223_372_036_854_775_807n;
const component = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;
const textLengthMax = 1_024;

/** Parses a Go duration such as `1h30m` or `-1.5s` to nanoseconds. Throws with Go's message. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  const body = /^[-+]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0n;
  // Reject long texts: parsing big integers takes more than linear time, and no real duration is this long.
  if (body === '' || text.length > textLengthMax) throw invalidDuration(text);
  const total = sumComponents(body, text);
  if (total > (negative ? int64Max + 1n : int64Max)) throw invalidDuration(text);
  return negative ? -total : total;
}

function sumComponents(body: string, text: string): bigint {
  let total = 0n;
  for (let offset = 0; offset < body.length; ) {
    component.lastIndex = offset;
    const match = component.exec(body) ?? [''];
    const integer = match[1] ?? '';
    const decimals = match[2] ?? '';
    if (integer === '' && decimals === '') throw invalidDuration(text);
    total += componentNanos(text, integer, decimals, match[3] ?? '');
    offset += match[0].length;
  }
  return total;
}

function invalidDuration(text: string): Error {
  return new Error(`time: invalid duration ${JSON.stringify(text)}`);
}

function componentNanos(text: string, integer: string, decimals: string, unit: string): bigint {
  const quoted = JSON.stringify(text);
  if (unit === '') throw new Error(`time: missing unit in duration ${quoted}`);
  const scale = nanosPerUnit.get(unit);
  if (scale === undefined) throw new Error(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`);
  const fraction = decimals === '' ? 0n : (BigInt(decimals) * scale) / 10n ** BigInt(decimals.length);
  return BigInt(integer === '' ? '0' : integer) * scale + fraction;
}

/** Like `parseDuration`, but returns undefined instead of throwing. */
export function tryParseDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch {
    return undefined;
  }
}

/** Units with their spellings. The last spelling is a prefix: `minutes` begins with `min`. */
const looseUnits: readonly (readonly [spellings: readonly string[], nanos: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];
const loosePart = /([0-9]+)\s*([A-Za-zµ]+)/g;

/** Parses the `duration` format of schemas: a Go duration, or a looser form such as `22 ns` or `3 days`. */
export function parseLooseDuration(text: string): bigint | undefined {
  const exact = tryParseDuration(text);
  // Do not match long texts: matching takes quadratic time on a long run of digits.
  if (exact !== undefined || text.length > textLengthMax) return exact;
  let total: bigint | undefined;
  for (const [, digits = '', unit = ''] of text.matchAll(loosePart)) {
    const amount = BigInt(digits);
    if (amount > int64Max) return undefined;
    const nanos = looseUnitNanos(unit.toLowerCase());
    if (nanos !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + amount * nanos);
  }
  return total;
}

function looseUnitNanos(unit: string): bigint | undefined {
  return looseUnits.find(([spellings]) => spellings.includes(unit) || unit.startsWith(spellings.at(-1) ?? unit))?.[1];
}

/** Formats like Go and metav1.Duration: `1h0m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit;
  const whole = (value / unit).toString();
  if (rest === 0n) return whole;
  const digits = rest.toString().padStart(unit.toString().length - 1, '0');
  return `${whole}.${digits.replace(/0+$/, '')}`;
}

export function durationToMs(nanos: bigint): number {
  return Number(nanos) / 1_000_000;
}

export function msToDuration(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000_000));
}
