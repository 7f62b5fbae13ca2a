import type { ShownCondition, TreeNode } from '@slipway/insight';
import type { ConditionView, TreeItem } from '../model/cluster.js';
import { conditionTone } from './tones.js';

/** Converts a tree for the pages. Computes the tones of conditions, because pages do not know condition types. */
export function treeItem(node: TreeNode): TreeItem {
  const { condition, conditions, children, ...others } = node;
  return {
    ...others,
    ...(condition && { condition: conditionView(condition) }),
    ...(conditions && { conditions: conditions.map(conditionView) }),
    children: children.map(treeItem),
  };
}

function conditionView(condition: ShownCondition): ConditionView {
  return { ...condition, tone: conditionTone(condition) };
}
