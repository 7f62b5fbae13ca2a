import { addQuantities, formatQuantity, parseQuantity, type Quantity, subtractQuantities } from '@slipway/kube';
import { fields } from '../../kinds/shared/fields.js';

/** Quantities by resource name: `pods` 3, `requests.memory` 1Gi. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const nothing: Amounts = new Map();
const zero: Quantity = { nanos: 0n, format: 'DecimalSI' };

export function one(): Quantity {
  return { nanos: 1_000_000_000n, format: 'DecimalSI' };
}

/** Parses the ResourceList of a validated object. */
export function amountsOf(resourceList: unknown): Map<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(fields(resourceList)))
    amounts.set(name, parseQuantity(typeof value === 'string' ? value : String(value)));
  return amounts;
}

export function amount(amounts: Amounts, name: string): Quantity {
  return amounts.get(name) ?? zero;
}

export function add(left: Amounts, right: Amounts): Map<string, Quantity> {
  const sum = new Map(left);
  for (const [name, quantity] of right) {
    const before = sum.get(name);
    sum.set(name, before === undefined ? quantity : addQuantities(before, quantity));
  }
  return sum;
}

export function subtract(left: Amounts, right: Amounts): Map<string, Quantity> {
  const rest = new Map(left);
  for (const [name, quantity] of right) rest.set(name, subtractQuantities(rest.get(name) ?? zero, quantity));
  return rest;
}

/** Returns the larger quantity for each resource name. */
export function largest(left: Amounts, right: Amounts): Map<string, Quantity> {
  const result = new Map(left);
  for (const [name, quantity] of right) {
    const before = result.get(name);
    if (before === undefined || before.nanos < quantity.nanos) result.set(name, quantity);
  }
  return result;
}

/** Formats quantities as `cpu=1,pods=2`, sorted by name. */
export function formatAmounts(amounts: Amounts, names: readonly string[]): string {
  return [...names]
    .sort()
    .map((name) => `${name}=${formatQuantity(amount(amounts, name))}`)
    .join(',');
}
