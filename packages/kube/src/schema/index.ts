export type { Schema, SchemaType, ValidationRule } from './schema.js';
export { compilePattern } from './model/pattern.js';
export { applyDefaults } from './shape/apply-defaults.js';
export { findUnknownFields, prune, type PruneOptions } from './shape/prune.js';
export { correlateItems, correlateKey, isUnchanged, type ItemCorrelation } from './validation/correlate.js';
export type { RuleEvaluator, RuleRequest } from './validation/rule-evaluator.js';
export { validate, type ValidateOptions } from './validation/validate.js';
export { type EmbeddedMetadataCheck, validateEmbedded } from './validation/validate-embedded.js';
export { validateListTypes } from './validation/validate-list-types.js';
export { type StructureOptions, validateStructure } from './validation/validate-structure.js';
export type {
  CustomResourceColumn,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
  CustomResourceNames,
  CustomResourceSubresources,
} from './crd/custom-resource-definition.js';
