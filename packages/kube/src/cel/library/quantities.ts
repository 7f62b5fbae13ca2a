import {
  addQuantities,
  compareQuantities,
  type Int64Amount,
  parseQuantityAmount,
  type Quantity,
  subtractQuantities,
} from '../../text/quantity.js';
import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asInt, asText } from './function.js';

/** An amount in upstream's representation. Only amounts of 64 bits can be converted to an integer. */
interface Amount {
  readonly quantity: Quantity;
  readonly int64: Int64Amount | undefined;
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
  try {
    return parseQuantityAmount(text);
  } catch (error) {
    return new Failure(error instanceof Error ? error.message : String(error));
  }
}

function compareAmounts(a: Amount, b: Amount): bigint {
  return BigInt(compareQuantities(a.quantity, b.quantity));
}

function addAmounts(a: Amount, b: Amount): Amount {
  return { quantity: addQuantities(a.quantity, b.quantity), int64: addInt64(a.int64, b.int64) };
}

function subtractAmounts(a: Amount, b: Amount): Amount {
  const negated = b.int64 === undefined ? undefined : { ...b.int64, value: -b.int64.value };
  return { quantity: subtractQuantities(a.quantity, b.quantity), int64: addInt64(a.int64, negated) };
}

/** Returns the sum at the finer of the two scales, or undefined if it exceeds 64 bits. */
function addInt64(a: Int64Amount | undefined, b: Int64Amount | undefined): Int64Amount | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a.value === 0n) return b;
  if (b.value === 0n) return a;
  const scale = Math.min(a.scale, b.scale);
  const value = a.value * 10n ** BigInt(a.scale - scale) + b.value * 10n ** BigInt(b.scale - scale);
  return value === BigInt.asIntN(64, value) ? { value, scale } : undefined;
}

function integerOf({ int64 }: Amount): bigint | undefined {
  if (int64 === undefined || int64.scale < 0) return undefined;
  const value = int64.value * 10n ** BigInt(int64.scale);
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
    const value = asInt(b);
    return combine(a.amount, {
      quantity: { nanos: value * 1_000_000_000n, format: 'DecimalSI' },
      int64: { value, scale: 0 },
    });
  };
}

const plus = between((a, b) => new QuantityValue(addAmounts(a, b)));
const minus = between((a, b) => new QuantityValue(subtractAmounts(a, b)));

function signOf({ quantity: { nanos } }: Amount): bigint {
  if (nanos === 0n) return 0n;
  return nanos < 0n ? -1n : 1n;
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
    ['quantity_get_float', 'Quantity.(): double', about(({ quantity }) => Number(`${quantity.nanos}e-9`))],
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
