export type { FieldRequirement } from './field-selector.js';
export { escapeFieldValue, FieldSelector, parseFieldSelector } from './field-selector.js';
export type { LabelOperator, LabelRequirement, Labels } from './label-requirement.js';
export { formatRequirement, matchesRequirement, newLabelRequirement, SelectorError } from './label-requirement.js';
export { everyLabel, LabelSelector, noLabel } from './label-selector.js';
export type { LabelSelectorExpression, LabelSelectorObject } from './label-selector-object.js';
export { labelSelectorFromObject, validateLabelSelector } from './label-selector-object.js';
export { parseLabelSelector } from './parse-label-selector.js';
