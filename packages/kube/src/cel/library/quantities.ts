import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asInt, asText } from './function.js';

const MALFORMED = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const UNKNOWN_SUFFIX = "unable to parse quantity's suffix";

const DECIMAL: ReadonlyMap<string, number> = new Map([
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
const BINARY: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);
const INT64_DIGITS = 18;
const EXPONENT_MAX = 1_000;
/** Upstream has no such limit; a quantity of more digits is an attack. */
const DIGITS_MAX = 1_000;

/**
 * `digits × 10^scale`. Upstream keeps small quantities as 64-bit numbers and others as big decimals, and only the
 * former can be asked for an integer: `isSmall` remembers which one it would be.
 */
interface Amount {
  readonly digits: bigint;
  readonly scale: number;
  readonly isSmall: boolean;
}

class QuantityValue extends Opaque {
  readonly type: CelType = namedType('Quantity');

  constructor(readonly amount: Amount) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    return other instanceof QuantityValue ? compareAmounts(this.amount, other.amount) === 0n : noSuchOverload();
  }
}

function parseAmount(text: string): Amount | Failure {
  const [, sign = '', whole = '', fraction = '', suffix = ''] =
    /^([+-]?)([0-9]*)(?:\.([0-9]*))?(.*)$/s.exec(text) ?? [];
  if (whole + fraction === '' || !/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix)) return new Failure(MALFORMED);
  if (whole.length + fraction.length > DIGITS_MAX) return new Failure(MALFORMED);
  const parts = { num: whole.replace(/^0+(?=[0-9])/, ''), fraction, negative: sign === '-' };
  const binary = BINARY.get(suffix);
  if (binary !== undefined) return binaryAmount(parts, binary);
  const exponent = decimalExponent(suffix);
  return exponent === undefined ? new Failure(UNKNOWN_SUFFIX) : decimalAmount(parts, exponent);
}

interface Parts {
  readonly num: string;
  readonly fraction: string;
  readonly negative: boolean;
}

function decimalAmount({ num, fraction, negative }: Parts, exponent: number): Amount {
  const digits = BigInt(num + fraction || '0');
  const scale = exponent - fraction.length;
  const isSmall = INT64_DIGITS - (num.length + fraction.length) >= 0 && scale >= -9;
  return rounded({ digits: negative ? -digits : digits, scale, isSmall });
}

function decimalExponent(suffix: string): number | undefined {
  const written = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (written === undefined) return DECIMAL.get(suffix);
  const exponent = Number(written);
  return Math.abs(exponent) <= EXPONENT_MAX ? exponent : undefined;
}

function binaryAmount({ num, fraction, negative }: Parts, exponent: number): Amount {
  const digits = BigInt(num + fraction || '0') * 2n ** BigInt(exponent);
  const precision = 15 - num.length - Math.trunc((exponent * 3) / 10) - 1;
  const isSmall = fraction === '' && precision >= 0;
  return rounded({ digits: negative ? -digits : digits, scale: -fraction.length, isSmall });
}

/** Nothing below a billionth is kept: what is there rounds away from zero. */
function rounded(amount: Amount): Amount {
  if (amount.scale >= -9) return amount;
  const factor = 10n ** BigInt(-9 - amount.scale);
  const exact = amount.digits / factor;
  const hasRest = amount.digits % factor !== 0n;
  const away = amount.digits < 0n ? -1n : 1n;
  return { digits: hasRest ? exact + away : exact, scale: -9, isSmall: false };
}

function aligned(a: Amount, b: Amount): readonly [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(a.scale - scale), b.digits * 10n ** BigInt(b.scale - scale), scale];
}

function compareAmounts(a: Amount, b: Amount): bigint {
  const [left, right] = aligned(a, b);
  if (left === right) return 0n;
  return left < right ? -1n : 1n;
}

function addAmounts(a: Amount, b: Amount): Amount {
  const isSmall = a.isSmall && b.isSmall;
  if (isSmall && a.digits === 0n) return b;
  if (isSmall && b.digits === 0n) return a;
  const [left, right, scale] = aligned(a, b);
  const digits = left + right;
  return { digits, scale, isSmall: isSmall && digits === BigInt.asIntN(64, digits) };
}

function integerOf(amount: Amount): bigint | undefined {
  if (!amount.isSmall || amount.scale < 0) return undefined;
  const value = amount.digits * 10n ** BigInt(amount.scale);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

function toQuantity(text: Value = null): Value {
  const amount = parseAmount(asText(text));
  return amount instanceof Failure ? amount : new QuantityValue(amount);
}

function about(read: (amount: Amount) => Value): Implementation {
  return (value) => (value instanceof QuantityValue ? read(value.amount) : noSuchOverload());
}

function between(combine: (a: Amount, b: Amount) => Value): Implementation {
  return (a, b) => {
    if (!(a instanceof QuantityValue)) return noSuchOverload();
    if (b instanceof QuantityValue) return combine(a.amount, b.amount);
    return combine(a.amount, { digits: asInt(b), scale: 0, isSmall: true });
  };
}

const plus = between((a, b) => new QuantityValue(addAmounts(a, b)));
const minus = between((a, b) => new QuantityValue(addAmounts(a, { ...b, digits: -b.digits })));

function signOf(amount: Amount): bigint {
  if (amount.digits === 0n) return 0n;
  return amount.digits < 0n ? -1n : 1n;
}

export const quantityLibrary: Library = {
  quantity: [['string_to_quantity', '(string): Quantity', toQuantity]],
  isQuantity: [['is_quantity_string', '(string): bool', (text) => !(parseAmount(asText(text)) instanceof Failure)]],
  sign: [['quantity_sign', '(Quantity): int', about(signOf)]],
  isGreaterThan: [
    ['quantity_is_greater_than', 'Quantity.(Quantity): bool', between((a, b) => compareAmounts(a, b) > 0n)],
  ],
  isLessThan: [['quantity_is_less_than', 'Quantity.(Quantity): bool', between((a, b) => compareAmounts(a, b) < 0n)]],
  compareTo: [['quantity_compare_to', 'Quantity.(Quantity): int', between(compareAmounts)]],
  asApproximateFloat: [
    ['quantity_get_float', 'Quantity.(): double', about((amount) => Number(`${amount.digits}e${amount.scale}`))],
  ],
  asInteger: [
    [
      'quantity_get_int',
      'Quantity.(): int',
      about((amount) => integerOf(amount) ?? new Failure('cannot convert value to integer')),
    ],
  ],
  isInteger: [['quantity_is_integer', 'Quantity.(): bool', about((amount) => integerOf(amount) !== undefined)]],
  add: [
    ['quantity_add', 'Quantity.(Quantity): Quantity', plus],
    ['quantity_add_int', 'Quantity.(int): Quantity', plus],
  ],
  sub: [
    ['quantity_sub', 'Quantity.(Quantity): Quantity', minus],
    ['quantity_sub_int', 'Quantity.(int): Quantity', minus],
  ],
};
