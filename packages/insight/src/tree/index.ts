export { clusterTree, type TreeOptions } from './cluster-tree.js';
export {
  type ConditionFilter,
  conditionOf,
  conditionsOf,
  isNegative,
  parseConditionFilter,
  type Verdict,
  verdictOf,
} from './conditions.js';
export { type Counters, nodeTitle, type ShownCondition, type TreeNode } from './tree-node.js';
