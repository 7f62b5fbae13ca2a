import type { FieldError } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../schema.js';

/**
 * Evaluates `x-kubernetes-validations`. The schema package decides when rules run, and passes whole objects. The
 * evaluator walks schema and value, counts the cost, and tolerates errors of unchanged values, which it finds with
 * `isUnchanged` and `correlateItems`.
 */
export interface RuleEvaluator {
  evaluate(request: RuleRequest): readonly FieldError[];
}

export interface RuleRequest {
  /** The schema of the whole object, with all rules. */
  readonly schema: Schema;
  readonly value: JsonValue;
  /** The stored object at the same version with defaults. Absent on create. */
  readonly old: JsonValue | undefined;
  /** The prefix of the field of every error. Empty for whole objects. */
  readonly path: string;
  /** Whether the value is a resource: rules at its root can then access apiVersion, kind and metadata.name. */
  readonly isResource: boolean;
}
