export type { Schema, SchemaType, ValidationRule } from './schema.js';
export { compilePattern } from './model/pattern.js';
export { compileRegularExpression, type Match, type RegularExpression } from './model/regular-expression.js';
export { applyDefaults } from './shape/apply-defaults.js';
export { findUnknownFields, prune, type PruneOptions } from './shape/prune.js';
export { correlateItems, correlateKey, isUnchanged, type ItemCorrelation } from './validation/correlate.js';
export type { RuleEvaluator, RuleRequest } from './validation/rule-evaluator.js';
export { validate, type ValidateOptions } from './validation/validate.js';
export { type EmbeddedMetadataCheck, validateEmbedded } from './validation/validate-embedded.js';
export { validateListTypes } from './validation/validate-list-types.js';
export { type StructureOptions, validateStructure } from './validation/validate-structure.js';
export * from './crd/index.js';
export {
  defineKind,
  type DefinitionOptions,
  describeDefinition,
  describeFields,
  groupVersionKindOf,
  type Infer,
  type Kind,
  type KindDeclaration,
  type ObjectOf,
  type ObjectRef,
  type PrinterColumn,
  refOf,
  type ScaleSubresource,
  schemaOfKind,
  toCustomResourceDefinition,
  type VersionDeclaration,
} from './kit/index.js';
