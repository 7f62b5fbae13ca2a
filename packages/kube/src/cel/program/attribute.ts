import type { Value } from '../values/index.js';
import { CelList, CelMap, Failure, noSuchKey, Optional, plainText, Uint } from '../values/index.js';
import { runtimeType } from '../library/index.js';
import type { Frame } from './frame.js';
import { StructValue } from './struct-value.js';

/** A compiled node. */
export interface Plan {
  run(frame: Frame): Value;
  /** Set for names and for selections from them. They are resolved in one step, and cost less inside other nodes. */
  readonly attribute?: Attribute;
  /** Set if the value is constant. */
  readonly constant?: Value;
}

export interface Qualifier {
  readonly optional: boolean;
  /** Computes the key of the step. A key that is a plain name is resolved, which costs less than evaluating it. */
  readonly key: (frame: Frame) => Value;
}

/**
 * A base value and a path of fields and indices. Costs are those of cel-go: one per step, one for the whole attribute if it is
 * evaluated as an operand, and none for a conditional.
 */
export class Attribute {
  constructor(
    private readonly base: (frame: Frame) => Value,
    private readonly qualifiers: readonly Qualifier[],
    readonly isConditional: boolean,
  ) {}

  with(qualifier: Qualifier): Attribute {
    return new Attribute(this.base, [...this.qualifiers, qualifier], this.isConditional);
  }

  evaluate(frame: Frame): Value {
    const value = this.resolve(frame);
    if (!this.isConditional) frame.charge(1);
    return value;
  }

  resolve(frame: Frame): Value {
    let value = this.base(frame);
    if (this.qualifiers.length === 0 || value instanceof Failure) return value;
    let isOptional = false;
    if (value instanceof Optional) {
      if (value.value === undefined) return value;
      value = value.value;
      isOptional = true;
    }
    for (const qualifier of this.qualifiers) {
      isOptional ||= qualifier.optional;
      const key = qualifier.key(frame);
      if (key instanceof Failure) return key;
      const next = select(value, key);
      if (next === undefined && isOptional) return Optional.none;
      frame.charge(1);
      value = next === undefined ? missing(value, key) : next;
      if (value instanceof Failure) return value;
    }
    return isOptional ? Optional.of(value) : value;
  }

  /** Evaluates `has()`: returns whether the last step finds a value. */
  test(frame: Frame, field: string): Value {
    let value = this.resolve(frame);
    if (value instanceof Failure) return value;
    if (value instanceof Optional) {
      if (value.value === undefined) return false;
      value = value.value;
    }
    const found = select(value, field);
    // Charge as cel-go does: the name costs nothing here, and a conditional is refunded one unit that it was never charged.
    frame.charge(this.isConditional ? 0 : 1);
    return found instanceof Failure ? found : found !== undefined;
  }
}

function missing(value: Value, key: Value): Failure {
  return value instanceof CelList ? new Failure(`index out of bounds: ${plainText(key)}`) : noSuchKey(key);
}

/** Resolves one step. Returns undefined if there is no value under the key. */
function select(value: Value, key: Value): Value | undefined {
  if (value instanceof CelMap) return value.find(key);
  if (value instanceof StructValue) return typeof key === 'string' ? value.fields.get(key) : undefined;
  if (!(value instanceof CelList)) return undefined;
  const index = listIndex(key);
  if (index instanceof Failure) return index;
  return index >= 0 && index < value.size ? value.at(index) : undefined;
}

function listIndex(key: Value): number | Failure {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (typeof key !== 'number') return new Failure(`unsupported index type '${runtimeType(key).name}' in list`);
  return Number.isInteger(key) ? key : new Failure(`unsupported index value ${plainText(key)} in list`);
}
