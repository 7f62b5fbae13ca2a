type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An exact amount of a resource in billionths. Smaller fractions are rounded, and sums are exact. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** The parsed text, if upstream would print it unchanged. */
  readonly text?: string;
}

const formatText = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';
const formatWrong = `quantities must match the regular expression '${formatText}'`;
const suffixWrong = "unable to parse quantity's suffix";
const numericWrong = 'unable to parse numeric part of quantity';

const shape = /^([-+]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const nano = 1_000_000_000n;
const binaryMax = (2n ** 63n - 1n) * nano;
// Maximum exponent. Upstream's exponents have 32 bits, but larger ones are useless, and their digits would exhaust the memory.
const exponentMax = 1_000;
const textLengthMax = 1_000;

const decimalSuffixes = new Map<string, number>([
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
]);
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Suffix {
  readonly format: QuantityFormat;
  /** Exponent of ten, or of two for BinarySI. */
  readonly exponent: number;
}

/** Parses `1`, `1.5Gi`, `100m`, `12e6` … Throws with upstream's message. */
export function parseQuantity(text: string): Quantity {
  return quantityOf(text, readParts(text));
}

/** `value × 10^scale` as a 64-bit integer. */
export interface Int64Amount {
  readonly value: bigint;
  readonly scale: number;
}

/**
 * Parses a quantity into upstream's representation: small amounts as a 64-bit integer with a scale, all others as big decimals,
 * for which `int64` is undefined. Throws with upstream's message.
 */
export function parseQuantityAmount(text: string): {
  readonly quantity: Quantity;
  readonly int64: Int64Amount | undefined;
} {
  const parts = readParts(text);
  return { quantity: quantityOf(text, parts), int64: int64Of(parts) };
}

function int64Of({ negative, digits, decimals, suffix }: Parts): Int64Amount | undefined {
  const isBinary = suffix.format === 'BinarySI';
  if (isBinary && (decimals > 0 || binaryPrecision(digits, suffix) < 0)) return undefined;
  const scale = isBinary ? 0 : suffix.exponent - decimals;
  if (!isBinary && (digits.length > 18 || scale < -9)) return undefined;
  const size = BigInt(digits) * (isBinary ? 2n ** BigInt(suffix.exponent) : 1n);
  return { value: negative ? -size : size, scale };
}

function binaryPrecision(digits: string, suffix: Suffix): number {
  return 15 - digits.length - Math.trunc((suffix.exponent * 3) / 10) - 1;
}

function quantityOf(text: string, { negative, digits, decimals, suffix }: Parts): Quantity {
  const size = capBinary(sizeInNanos(BigInt(digits), decimals, suffix), suffix.format);
  // As in upstream, an amount below one has no binary format.
  const format = suffix.format === 'BinarySI' && size > 0n && size < nano ? 'DecimalSI' : suffix.format;
  const nanos = negative ? -size : size;
  return isCanonical(digits, decimals, suffix) ? { nanos, format, text } : { nanos, format };
}

interface Parts {
  readonly negative: boolean;
  /** The digits before and after the decimal point, without leading zeros. */
  readonly digits: string;
  /** How many of the digits follow the decimal point. */
  readonly decimals: number;
  readonly suffix: Suffix;
}

function readParts(text: string): Parts {
  const match = text === '' || text.length > textLengthMax ? null : shape.exec(text);
  if (match === null) throw new Error(formatWrong);
  const suffix = parseSuffix(match[4] ?? '');
  if (suffix === undefined) throw new Error(suffixWrong);
  if (Math.abs(suffix.exponent) > exponentMax) throw new Error(numericWrong);
  const decimals = match[3] ?? '';
  return { negative: match[1] === '-', digits: (match[2] || '0') + decimals, decimals: decimals.length, suffix };
}

function parseSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes.get(text);
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal };
  const binary = binarySuffixes.indexOf(text);
  if (binary > 0) return { format: 'BinarySI', exponent: binary * 10 };
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(text)?.[1];
  return exponent === undefined ? undefined : { format: 'DecimalExponent', exponent: Number(exponent) };
}

/** Returns the amount in billionths. Rounds up, so that a request for less than a billionth is not zero. */
function sizeInNanos(digits: bigint, decimals: number, suffix: Suffix): bigint {
  if (suffix.format === 'BinarySI')
    return divideUp(digits * 2n ** BigInt(suffix.exponent) * nano, 10n ** BigInt(decimals));
  const scale = suffix.exponent - decimals + 9;
  return scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
}

function capBinary(size: bigint, format: QuantityFormat): bigint {
  return format === 'BinarySI' && size > binaryMax ? binaryMax : size;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return quotient * divisor === dividend ? quotient : quotient + 1n;
}

/**
 * Returns whether upstream would keep the text. Its quick check of the canonical form also accepts some texts that are not
 * canonical, such as `1.500`.
 */
function isCanonical(digits: string, decimals: number, suffix: Suffix): boolean {
  if (suffix.format === 'BinarySI') {
    return decimals === 0 && binaryPrecision(digits, suffix) >= 0 && (BigInt(digits) & 7n) !== 0n;
  }
  const scale = suffix.exponent - decimals;
  if (digits.length > 18 || scale < -9) return false;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/** Returns the canonical form: no fraction, with the largest suffix that allows that. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.nanos === 0n) return '0';
  const sign = quantity.nanos < 0n ? '-' : '';
  const size = quantity.nanos < 0n ? -quantity.nanos : quantity.nanos;
  if (quantity.format === 'BinarySI' && size >= 1024n * nano && size % nano === 0n)
    return sign + formatBinary(size / nano);
  return sign + formatDecimal(size, quantity.format === 'DecimalExponent');
}

function formatBinary(value: bigint): string {
  let mantissa = value;
  let steps = 0;
  while (mantissa % 1024n === 0n && steps < binarySuffixes.length - 1) {
    mantissa /= 1024n;
    steps += 1;
  }
  return `${mantissa}${binarySuffixes[steps]}`;
}

function formatDecimal(size: bigint, asExponent: boolean): string {
  let mantissa = size;
  let exponent = -9;
  const exponentLast = asExponent ? Number.POSITIVE_INFINITY : 18;
  while (mantissa % 1000n === 0n && exponent < exponentLast) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (asExponent) return exponent === 0 ? mantissa.toString() : `${mantissa}e${exponent}`;
  for (const [suffix, power] of decimalSuffixes) if (power === exponent) return `${mantissa}${suffix}`;
  return mantissa.toString();
}

/** Returns the canonical form that upstream would store for this text. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

/** Returns a negative number, zero or a positive number if `left` is less than, equal to or greater than `right`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  if (left.nanos === right.nanos) return 0;
  return left.nanos < right.nanos ? -1 : 1;
}

/** Returns the sum in the format of `left`, or of `right` if `left` is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return { nanos: left.nanos + right.nanos, format: left.nanos === 0n ? right.format : left.format };
}

export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return { nanos: left.nanos - right.nanos, format: left.nanos === 0n ? right.format : left.format };
}

/** Returns the amount in whole units, rounded away from zero. */
export function quantityValue(quantity: Quantity): bigint {
  return roundAway(quantity.nanos, nano);
}

/** Returns the amount in thousandths, rounded away from zero, as for CPU. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return roundAway(quantity.nanos, 1_000_000n);
}

function roundAway(nanos: bigint, unit: bigint): bigint {
  return nanos < 0n ? -divideUp(-nanos, unit) : divideUp(nanos, unit);
}
