import { systemClock } from '@slipway/base';
import type { TreeNode } from '@slipway/insight';
import type { Client, ObjectKey } from '@slipway/runtime';
import { styleFor } from '../output/index.js';
import { followCluster } from '../quick-start/follow-cluster.js';
import { followTree, type Picture } from './follow-tree.js';

export interface AvailableOptions {
  readonly signal: AbortSignal;
  /** For whoever else writes to the terminal meanwhile. */
  readonly onPicture?: (picture: Picture | undefined) => void;
}

/** Shows a cluster until it is Available: the tree on a terminal, a line for each step elsewhere. False when interrupted. */
export async function followUntilAvailable(
  client: Client,
  key: ObjectKey,
  { signal, onPicture }: AvailableOptions,
): Promise<boolean> {
  const stream = process.stdout;
  try {
    if (stream.isTTY) {
      const style = styleFor(stream, undefined);
      const end = await followTree(client, key, { signal, style, until: isAvailable, ...(onPicture && { onPicture }) });
      return end === 'reached';
    }
    const startedAt = systemClock.monotonic();
    const line = (text: string): void => {
      stream.write(`  ${((systemClock.monotonic() - startedAt) / 1_000).toFixed(1)} s  ${text}\n`);
    };
    return await followCluster(client, key, { onStep: line, onWait: (text) => line(`waiting: ${text}`) }, signal);
  } catch (error) {
    // What ends the looking is no failure of the cluster.
    if (signal.aborted) return false;
    throw error;
  }
}

function isAvailable({ condition }: TreeNode): boolean {
  return condition?.type === 'Available' && condition.status === 'True';
}
