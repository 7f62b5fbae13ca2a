import { isReason } from '@slipway/kube';
import { ifPresent } from '@slipway/runtime';
import { isMarked, type ApplyWorld } from './apply-objects.js';
import type { InventoryItem } from './inventory.js';
import { resourceOfObject } from './resource-of-object.js';

/** What holds the data of others, or was not ours to begin with: it stays when a driver goes. */
const kept = new Set(['Namespace', 'CustomResourceDefinition']);

/** Removes what a version no longer has, if it is still ours. The last ones applied go first. */
export async function removeObjects(
  items: readonly InventoryItem[],
  { client, logger, signal }: Omit<ApplyWorld, 'adopt'>,
): Promise<void> {
  for (const item of [...items].reverse()) {
    if (kept.has(item.kind)) continue;
    const resource = await resourceOfObject(client, item);
    const key = { namespace: item.namespace, name: item.name };
    const live = await ifPresent(client.get(resource, key, { signal }));
    if (live === undefined || !isMarked(live)) continue;
    const { uid } = live.metadata;
    try {
      await client.delete(resource, key, {
        propagationPolicy: 'Background',
        ...(uid !== undefined && { preconditions: { uid } }),
        signal,
      });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
    logger.info({ object: `${item.kind} ${item.namespace}/${item.name}` }, 'Removed object');
  }
}
