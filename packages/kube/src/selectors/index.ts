export { FieldSelector, parseFieldSelector } from './field-selector.js';
export { type Labels, SelectorError } from './label-requirement.js';
export { labelSelectorFromObject, type LabelSelectorObject, validateLabelSelector } from './label-selector-object.js';
export { LabelSelector, noLabel } from './label-selector.js';
export { parseLabelSelector } from './parse-label-selector.js';
