export { fnv32a, formatLabelValue } from './label-value.js';
export { hasRandomPart, NameTemplateError, type NameValues, renderNameTemplate } from './name-template.js';
