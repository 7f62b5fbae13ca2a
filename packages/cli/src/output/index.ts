export { bytesText } from './bytes.js';
export { columnsText } from './columns.js';
export { factsText } from './facts.js';
export { printValue } from './print-value.js';
