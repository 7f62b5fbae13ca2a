import type { Logger } from '@slipway/base';
import { asJson, type Frozen, isReason, type KubeObject, StatusError } from '@slipway/kube';
import { type Client, ifPresent, keyOf, type Resource } from '@slipway/runtime';
import { DriverError, fieldManager, labels } from '../api/index.js';
import { type Inventory, type InventoryItem, itemKey, itemOf } from './inventory.js';
import { needsReplacement, removeForReplacement } from './replace-immutable.js';
import { resourceOfObject } from './resource-of-object.js';

export interface ApplyWorld {
  readonly client: Client;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Objects that somebody else made may be taken over. */
  readonly adopt: boolean;
}

/** Applies objects one after the other. Ours are forced to what we render; what others set beside it stays. */
export async function applyObjects(
  objects: readonly KubeObject[],
  before: Inventory | undefined,
  world: ApplyWorld,
): Promise<InventoryItem[]> {
  const owned = new Set([...(before?.objects ?? []), ...(before?.stale ?? [])].map(itemKey));
  const applied: InventoryItem[] = [];
  for (const object of objects) {
    const resource = await resourceOfObject(world.client, object);
    applied.push(itemOf(await applyOne(object, resource, owned, world)));
  }
  return applied;
}

async function applyOne(
  object: KubeObject,
  resource: Resource,
  owned: ReadonlySet<string>,
  { client, logger, signal, adopt }: ApplyWorld,
): Promise<Frozen<KubeObject>> {
  const key = keyOf(object);
  const what = `${object.kind} ${key.namespace === '' ? '' : `${key.namespace}/`}${key.name}`;
  const live = await ifPresent(client.get(resource, key, { signal }));
  const isOurs = live === undefined || adopt || isMarked(live) || owned.has(itemKey(itemOf(live)));
  if (live !== undefined && needsReplacement(live, object)) {
    if (!isOurs) throw new DriverError('ForeignDriverPresent', `${what} is there already, and is not ours`);
    await removeForReplacement(client, resource, live, signal);
    logger.info({ object: what, reason: 'ImmutableFieldChanged' }, 'Removed object to make it anew');
  }
  try {
    const applied = await client.apply(resource, key, asJson(object), { fieldManager, force: isOurs, signal });
    if (applied.metadata.resourceVersion !== live?.metadata.resourceVersion)
      logger.info({ object: what }, 'Applied object');
    return applied;
  } catch (error) {
    throw applyError(error, what);
  }
}

export function isMarked(object: Frozen<KubeObject>): boolean {
  return object.metadata.labels?.[labels.managedBy] === 'vdo';
}

function applyError(error: unknown, what: string): unknown {
  if (!(error instanceof StatusError)) return error;
  const { message } = error;
  const options = { cause: error };
  if (isReason(error, 'Conflict'))
    return new DriverError('ForeignDriverPresent', `${what} is there already, and is not ours: ${message}`, options);
  if (isReason(error, 'Forbidden')) return new DriverError('Forbidden', `${what}: ${message}`, options);
  if (isReason(error, 'Invalid') || isReason(error, 'BadRequest'))
    return new DriverError('ApplyFailed', `${what}: ${message}`, options);
  return error;
}
