export { bytesText } from './bytes.js';
export { factsText } from './facts.js';
export { printValue } from './print-value.js';
