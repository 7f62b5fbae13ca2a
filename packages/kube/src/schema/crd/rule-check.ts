import type { FieldError } from '../../errors/index.js';
import type { Schema, ValidationRule } from '../schema.js';

/** How a node is reached from its parent. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string; readonly parent: Schema }
  | { readonly kind: 'items'; readonly parent: Schema }
  | { readonly kind: 'additionalProperties'; readonly parent: Schema };

/** A node that has rules. */
export interface RuleSite {
  readonly schema: Schema;
  /** `spec.versions[0].schema.openAPIV3Schema.properties[spec]` */
  readonly path: string;
  /** From the root to this node: bounds of the lists and maps on the way limit how often the rules run. */
  readonly steps: readonly SchemaStep[];
  /** Below this path old and new values cannot be matched, so that rules may not use oldSelf. */
  readonly uncorrelatablePath: string | undefined;
}

export interface RuleCheckRequest {
  readonly root: Schema;
  readonly path: string;
  /** Parents stand before their children. */
  readonly sites: readonly RuleSite[];
  /** The version's schema did not change: what was accepted once is not refused for its estimated cost. */
  readonly unchanged: boolean;
  /** Rules of the stored definition, which may use what newer ones may not. */
  readonly isPreexisting: (rule: ValidationRule) => boolean;
}

/** Compiles the rules of a schema and estimates their costs: what is wrong with them, in upstream's words. */
export type RuleCheck = (request: RuleCheckRequest) => readonly FieldError[];
