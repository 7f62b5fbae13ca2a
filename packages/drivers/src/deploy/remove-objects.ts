import { ifPresent } from '@slipway/runtime';
import { type DeployContext, isMarked, nameOf, type Purpose } from './apply-objects.js';
import type { InventoryItem } from './inventory.js';
import { resourceOfObject } from './resource-of-object.js';

/** Kinds that are kept when a driver is removed, because they contain data or may be shared. */
const kept = new Set(['Namespace', 'CustomResourceDefinition']);

/** Deletes objects that are still managed by this operator, in reverse order. */
export async function removeObjects(
  items: readonly InventoryItem[],
  context: DeployContext,
  { reason, phrase }: Purpose,
): Promise<void> {
  for (const item of [...items].reverse()) {
    if (kept.has(item.kind)) continue;
    const resource = await resourceOfObject(context.read, item);
    const key = { namespace: item.namespace, name: item.name };
    const live = await ifPresent(context.read.get(resource, key, { signal: context.signal }));
    if (live === undefined || !isMarked(live)) continue;
    const { uid } = live.metadata;
    const options = { propagationPolicy: 'Background', ...(uid !== undefined && { preconditions: { uid } }) } as const;
    const message = `Deleted ${nameOf(item.kind, key)} ${phrase}`;
    await context.change({ verb: 'delete', resource, key, options, reason, message });
  }
}
