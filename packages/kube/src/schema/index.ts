export { checkStructural } from './crd/check-structural.js';
export type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
  CustomResourceNames,
} from './crd/custom-resource-definition.js';
export { defaultCustomResourceDefinition } from './crd/default-definition.js';
export {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatus,
  validateCustomResourceDefinitionUpdate,
} from './crd/validate-definition.js';
export { type Kind, schemaOfKind } from './kit/define-kind.js';
export { describeDefinition } from './kit/describe.js';
export { toCustomResourceDefinition } from './kit/to-custom-resource-definition.js';
export { compileRegularExpression, type Match, type RegularExpression } from './model/regular-expression.js';
export type { Schema, ValidationRule } from './schema.js';
export { applyDefaults } from './shape/apply-defaults.js';
export { findUnknownFields, prune } from './shape/prune.js';
export type { RuleEvaluator } from './validation/rule-evaluator.js';
export type { EmbeddedMetadataCheck } from './validation/validate-embedded.js';
export { validateStructure } from './validation/validate-structure.js';
export { validate } from './validation/validate.js';
