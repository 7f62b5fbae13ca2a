import type { FieldError } from '../../errors/index.js';
import type { Schema, ValidationRule } from '../schema.js';

/** The step from a parent node to a child node. */
export type SchemaStep =
  | { readonly kind: 'property'; readonly name: string; readonly parent: Schema }
  | { readonly kind: 'items'; readonly parent: Schema }
  | { readonly kind: 'additionalProperties'; readonly parent: Schema };

/** A node with CEL rules. */
export interface RuleSite {
  readonly schema: Schema;
  /** `spec.versions[0].schema.openAPIV3Schema.properties[spec]` */
  readonly path: string;
  /** The steps from the root to this node. The size limits of lists and maps on the way bound how often rules run. */
  readonly steps: readonly SchemaStep[];
  /** Below this path old and new values do not correlate, so rules must not use oldSelf. */
  readonly uncorrelatablePath: string | undefined;
}

export interface RuleCheckRequest {
  readonly root: Schema;
  readonly path: string;
  /** Parents precede their children. */
  readonly sites: readonly RuleSite[];
  /** True if the version's schema is unchanged. Then the estimated cost of its rules is not checked again. */
  readonly unchanged: boolean;
  /** Rules of the stored CRD, which may use features that new rules may not. */
  readonly isPreexisting: (rule: ValidationRule) => boolean;
}

/** Compiles the rules of a schema and estimates their cost. Returns errors with upstream's messages. */
export type RuleCheck = (request: RuleCheckRequest) => readonly FieldError[];
