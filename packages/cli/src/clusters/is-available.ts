import type { TreeNode } from '@slipway/insight';

/** For `until`: the cluster at the root is Available. */
export function isAvailable({ condition }: TreeNode): boolean {
  return condition?.type === 'Available' && condition.status === 'True';
}
