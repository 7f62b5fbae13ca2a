export { bytesText } from './bytes.js';
export { columnsText } from './columns.js';
export { factsText } from './facts.js';
export { LiveScreen } from '../terminal/live-screen.js';
export { printValue } from './print-value.js';
export { colourStyle, plainStyle, type Style, styleFor } from './style.js';
export { treeChanges, treeState, type TreeState, treeText } from './tree/index.js';
export { wrapText } from './wrap-text.js';
