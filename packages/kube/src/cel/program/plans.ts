import type { ResolvedCall } from '../checker/index.js';
import { callCost } from '../cost/runtime-cost.js';
import { compileRegex, dispatch } from '../library/index.js';
import type { LiteralValue } from '../syntax/index.js';
import type { Value } from '../values/index.js';
import { CelList, EntryMap, Failure, mapKey, noSuchOverload, Optional, plainText, Uint } from '../values/index.js';
import { Attribute, type Plan, type Qualifier } from './attribute.js';

/** A constant of the expression that cannot be evaluated. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

export function requireRegex(pattern: string): void {
  const compiled = compileRegex(pattern);
  if (compiled instanceof Failure) throw new PlanError(compiled.message);
}

export function constant(value: Value): Plan {
  return { run: () => value, constant: value };
}

export function ofAttribute(attribute: Attribute): Plan {
  return { run: (frame) => attribute.evaluate(frame), attribute };
}

/** Returns the attribute of an operand. An operand that is not a name or a selection from one starts a new path. */
export function asAttribute(operand: Plan): Attribute {
  return operand.attribute ?? new Attribute((frame) => operand.run(frame), [], false);
}

export function keyOf(index: Plan, optional: boolean): Qualifier {
  const { attribute, constant: known } = index;
  if (known !== undefined) return { optional, key: () => known };
  return { optional, key: attribute === undefined ? (frame) => index.run(frame) : (frame) => attribute.resolve(frame) };
}

export function literalValue(literal: LiteralValue): Value {
  switch (literal.type) {
    case 'null':
      return null;
    case 'uint':
      return new Uint(literal.value);
    default:
      return literal.value;
  }
}

export function notOptional(value: Value): Failure {
  return new Failure(`cannot initialize optional entry from non-optional value ${plainText(value)}`);
}

export function pushElement(values: Value[], value: Value, optional: boolean): Failure | undefined {
  if (!optional) values.push(value);
  else if (!(value instanceof Optional)) return notOptional(value);
  else if (value.value !== undefined) values.push(value.value);
  return undefined;
}

export function insertEntry(map: EntryMap, key: Value, value: Value, optional: boolean): Failure | undefined {
  if (key instanceof Failure) return key;
  if (value instanceof Failure) return value;
  if (mapKey(key) === undefined) return new Failure('unsupported key type');
  const inner = optional && value instanceof Optional ? value.value : value;
  if (optional && !(value instanceof Optional)) return notOptional(value);
  if (inner !== undefined) map.set(key, inner);
  return undefined;
}

export function constantMap(entries: readonly { readonly key: Plan; readonly value: Plan }[]): Plan {
  const map = new EntryMap();
  for (const { key, value } of entries) {
    const failure = insertEntry(map, key.constant ?? null, value.constant ?? null, false);
    if (failure !== undefined) return { run: () => failure };
  }
  return constant(map);
}

export function notStrictlyFalse(arg: Plan): Plan {
  return {
    run: (frame) => {
      const value = arg.run(frame);
      frame.charge(1);
      return value !== false;
    },
  };
}

/** Plans `x in ['a', 'b']` with a constant list as a set lookup, which has no cost. */
export function membership(resolved: ResolvedCall, element: Plan, list: Plan): Plan {
  const known = list.constant;
  const isListOnly = resolved.overloads.length === 1 && resolved.overloads[0]?.id === 'in_list';
  if (!isListOnly || !(known instanceof CelList)) return invoke(resolved, [element, list]);
  if (known.size === 0) return constant(false);
  const items = [...known];
  if (!items.every(isPrimitive)) return invoke(resolved, [element, list]);
  // Remove NaN: `in` is false for it in every list, because NaN is not equal to itself.
  const set = new Set(items.filter((item) => !Number.isNaN(item)).map(mapKey));
  return {
    run: (frame) => {
      const value = element.run(frame);
      if (value instanceof Failure) return value;
      const key = mapKey(value);
      return key !== undefined && set.has(key);
    },
  };
}

function isPrimitive(value: Value): boolean {
  return ['string', 'bigint', 'boolean', 'number'].includes(typeof value) || value instanceof Uint;
}

export function orElse(first: Plan, second: Plan, unwraps: boolean): Plan {
  return {
    run: (frame) => {
      const value = first.run(frame);
      if (!(value instanceof Optional)) return value instanceof Failure ? value : noSuchOverload();
      if (value.value === undefined) return second.run(frame);
      return unwraps ? value.value : value;
    },
  };
}

export function converted(resolved: ResolvedCall, value: Value): Plan {
  const result = dispatch(resolved.declaration, resolved.overloads, [value]);
  if (result instanceof Failure) throw new PlanError(result.message);
  return constant(result);
}

export function invoke(resolved: ResolvedCall, args: readonly Plan[]): Plan {
  const { declaration, overloads } = resolved;
  const single = overloads.length === 1 ? (overloads[0]?.id ?? '') : '';
  const cost = callCost(declaration.name, single);
  // Like cel-go, with up to two arguments evaluate both and charge the call even if one of them fails.
  const stopsEarly = args.length > 2;
  return {
    run: (frame) => {
      const values: Value[] = [];
      let failure: Failure | undefined;
      for (const arg of args) {
        const value = arg.run(frame);
        if (value instanceof Failure) {
          failure ??= value;
          if (stopsEarly) return value;
        }
        values.push(value);
      }
      const result = failure ?? dispatch(declaration, overloads, values);
      frame.charge(cost(values, result));
      return result;
    },
  };
}
