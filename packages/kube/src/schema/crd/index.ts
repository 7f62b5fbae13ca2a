export { type ApiApproval, apiApprovalOf, isProtectedGroup } from './api-approval.js';
export {
  allRequirements,
  checkStructural,
  type SchemaCheckOptions,
  type SchemaRequirements,
} from './check-structural.js';
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
} from './custom-resource-definition.js';
export { defaultCustomResourceDefinition } from './default-definition.js';
export type { RuleCheck, RuleCheckRequest, RuleSite, SchemaStep } from './rule-check.js';
export { validateWebhookService, validateWebhookUrl } from './validate-conversion.js';
export {
  isEstablished,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatus,
  validateCustomResourceDefinitionUpdate,
} from './validate-definition.js';
export type { DefinitionCheckOptions } from './validate-versions.js';
