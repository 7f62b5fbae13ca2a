export { applyConditions } from './apply-conditions.js';
export { pausingOf } from './legacy-pause.js';
