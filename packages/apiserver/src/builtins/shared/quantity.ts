/** An exact amount: `units` × 10^-9, and the family of suffixes it was written with. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: 'decimal' | 'binary' | 'exponent';
}

export const quantityPattern =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const nano = 1_000_000_000n;
const digitsMax = 40;
const exponentMax = 18;

const decimalSuffixes: readonly (readonly [string, number])[] = [
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
];
const binarySuffixes: readonly (readonly [string, bigint])[] = [
  ['Ki', 1n << 10n],
  ['Mi', 1n << 20n],
  ['Gi', 1n << 30n],
  ['Ti', 1n << 40n],
  ['Pi', 1n << 50n],
  ['Ei', 1n << 60n],
];
const decimalExponents = new Map(decimalSuffixes);
const binaryFactors = new Map(binarySuffixes);

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([A-Za-z]*)([+-]?[0-9]*)$/;

/** The amount behind a text such as `500m`, `1.5Gi` or `1e3`; undefined when it is none. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = text.length > 64 ? null : shape.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = '', exponent = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  if (whole.length + fraction.length > digitsMax) return undefined;
  const scale = scaleOf(suffix, exponent);
  if (scale === undefined) return undefined;
  const digits = BigInt(whole + fraction) * scale.factor;
  const nanos = shift(digits, 9 + scale.power - fraction.length);
  return { nanos: sign === '-' ? -nanos : nanos, format: scale.format };
}

interface Scale {
  readonly factor: bigint;
  readonly power: number;
  readonly format: Quantity['format'];
}

function scaleOf(suffix: string, exponent: string): Scale | undefined {
  if (exponent !== '') {
    const power = Number(exponent);
    if ((suffix !== 'e' && suffix !== 'E') || !Number.isInteger(power) || Math.abs(power) > exponentMax)
      return undefined;
    return { factor: 1n, power, format: 'exponent' };
  }
  const binary = binaryFactors.get(suffix);
  if (binary !== undefined) return { factor: binary, power: 0, format: 'binary' };
  const decimal = decimalExponents.get(suffix);
  return decimal === undefined ? undefined : { factor: 1n, power: decimal, format: 'decimal' };
}

/** × 10^power, rounding what is below a nano away from zero as upstream does. */
function shift(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}

export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity;
  if (nanos === 0n) return '0';
  if (nanos < 0n) return `-${formatQuantity({ nanos: -nanos, format })}`;
  if (format === 'binary' && nanos % nano === 0n && nanos >= 1024n * nano) return formatBinary(nanos / nano);
  return formatDecimal(nanos, format === 'exponent');
}

function formatBinary(units: bigint): string {
  let chosen = units.toString();
  for (const [suffix, factor] of binarySuffixes) {
    if (units % factor === 0n) chosen = `${units / factor}${suffix}`;
  }
  return chosen;
}

function formatDecimal(nanos: bigint, exponent: boolean): string {
  let chosen = '';
  for (const [suffix, power] of decimalSuffixes) {
    const unit = 10n ** BigInt(power + 9);
    if (nanos % unit !== 0n) break;
    const mark = exponent && power !== 0 ? `e${power}` : exponent ? '' : suffix;
    chosen = `${nanos / unit}${mark}`;
  }
  return chosen;
}

/** The form the server stores: the largest suffix that needs no fraction. */
export function canonicalQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  return quantity === undefined ? undefined : formatQuantity(quantity);
}

/** The amount in 10^-9 units; 0 for what does not parse, which decoding has already refused. */
export function quantityNanos(value: unknown): bigint {
  return parseQuantity(String(value ?? '0'))?.nanos ?? 0n;
}
