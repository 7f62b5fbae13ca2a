import type { TreeNode } from '@slipway/insight';
import { isAvailable } from '../../clusters/is-available.js';

/** For `until`: the cluster is Available and counts every machine as ready. It may be Available first: its counts are later. */
export function isUp(cluster: TreeNode): boolean {
  const { replicas, ready } = cluster.counters;
  return isAvailable(cluster) && replicas === `${ready}/${ready}`;
}
