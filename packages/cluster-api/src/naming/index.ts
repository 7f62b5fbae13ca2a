export { fnv32a, formatLabelValue } from './label-value.js';
export { hasRandomPart, type NameValues, renderNameTemplate } from './name-template.js';
