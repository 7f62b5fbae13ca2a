import type { ShownCondition, TreeNode } from '@slipway/insight';
import type { ConditionView, TreeItem } from '../model/cluster.js';
import { conditionTone } from './tones.js';

/** The tree as pages draw it: which conditions are good and which are not is told here, for pages cannot know. */
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
