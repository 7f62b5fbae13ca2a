import type { FieldError } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';

/**
 * Evaluates `x-kubernetes-validations`. The schema package finds out when rules may run and hands over whole objects;
 * the evaluator walks schema and value, counts costs, and ratchets with `isUnchanged` and `correlateItems`.
 */
export interface RuleEvaluator {
  evaluate(request: RuleRequest): readonly FieldError[];
}

export interface RuleRequest {
  /** The root of the object, with all rules in it. */
  readonly schema: Schema;
  readonly value: JsonValue;
  /** The stored object at the same version, defaulted; absent on create. */
  readonly old: JsonValue | undefined;
  /** Stands before the field of every error; empty for whole objects. */
  readonly path: string;
  /** The value is a resource: rules at its root see apiVersion, kind and metadata.name. */
  readonly isResource: boolean;
}
