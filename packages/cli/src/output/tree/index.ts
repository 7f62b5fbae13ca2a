export { treeText, type TreeTextOptions } from './tree-text.js';
