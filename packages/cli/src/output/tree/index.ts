export { treeChanges, treeState, type TreeState } from './tree-changes.js';
export { treeText } from './tree-text.js';
