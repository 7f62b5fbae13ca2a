export { treeChanges, treeState, type TreeState } from './tree-changes.js';
export { treeText, type TreeTextOptions } from './tree-text.js';
