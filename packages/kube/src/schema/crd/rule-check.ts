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
  /** Path of the node, such as `spec.versions[0].schema.openAPIV3Schema.properties[spec]`. */
  readonly path: string;
  /** The steps from the root to this node. The size limits of the lists and maps on this way limit how often rules run. */
  readonly steps: readonly SchemaStep[];
  /** Path below which old values cannot be found for new values, so that rules must not use oldSelf. */
  readonly uncorrelatablePath: string | undefined;
}

export interface RuleCheckRequest {
  readonly root: Schema;
  readonly path: string;
  /** The nodes with rules. Parents precede their children. */
  readonly sites: readonly RuleSite[];
  /** Whether the version's schema is unchanged. If so, the estimated cost of its rules is not checked again. */
  readonly unchanged: boolean;
  /** Returns whether the stored CRD has this rule. Such rules may use features that new rules may not. */
  readonly isPreexisting: (rule: ValidationRule) => boolean;
}

/** Compiles the rules of a schema and estimates their cost. Returns errors with upstream's messages. */
export type RuleCheck = (request: RuleCheckRequest) => readonly FieldError[];
