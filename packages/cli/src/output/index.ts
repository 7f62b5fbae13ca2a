export { printObjects, printValue } from './print.js';
export { colourStyle, plainStyle, type Style, styleFor } from './style.js';
export { bytesText, columnsText, factsText, wrapText } from './text.js';
export { terminalWidth } from './terminal-width.js';
export { treeChanges, treeState, type TreeState } from './tree/tree-changes.js';
export { treeText } from './tree/tree-text.js';
