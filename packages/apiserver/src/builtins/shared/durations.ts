const unitNanos: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

/** Nanoseconds of a Go duration such as `1h30m`, or undefined. */
export function parseGoDuration(text: string): bigint | undefined {
  if (text === '0') return 0n;
  const match = text.length > 64 ? null : /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|s|us|µs|ns))+$/.exec(text);
  if (match === null) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d*)(?:\.(\d*))?(h|ms|m|s|us|µs|ns)/g)) {
    const factor = unitNanos[unit] ?? 0n;
    nanos += BigInt(whole === '' ? 0 : whole) * factor;
    if (fraction !== '') nanos += (BigInt(fraction) * factor) / 10n ** BigInt(fraction.length);
  }
  return match[1] === '-' ? -nanos : nanos;
}

/** As Go prints a duration: `1h30m0s`, `1.5s`, `0s`. */
export function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  if (nanos < 0n) return `-${formatGoDuration(-nanos)}`;
  if (nanos < 1_000n) return `${nanos}ns`;
  if (nanos < 1_000_000n) return `${decimal(nanos, 1_000n)}µs`;
  if (nanos < 1_000_000_000n) return `${decimal(nanos, 1_000_000n)}ms`;
  const hours = nanos / 3_600_000_000_000n;
  const minutes = (nanos / 60_000_000_000n) % 60n;
  const seconds = `${decimal(nanos % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${minutes}m${seconds}` : seconds;
}

function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit;
  if (rest === 0n) return (value / unit).toString();
  const digits = rest
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return `${value / unit}.${digits}`;
}
