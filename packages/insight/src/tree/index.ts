export { clusterTree, type TreeOptions } from './cluster-tree.js';
export { conditionOf, conditionsOf, isNegative, oldConditionsOf, verdictOf } from './conditions.js';
export { type Counters, nodeTitle, type ShownCondition, type TreeNode } from './tree-node.js';
