import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client, ObjectKey, Resource, WatchEvent } from '@slipway/runtime';

const deadlineMsDefault = 100_000;

/** Watches an object in real time until `holds` returns true for it, and returns the object. */
export async function untilObject<T extends KubeObject>(
  client: Pick<Client, 'watch'>,
  resource: Resource<T>,
  key: ObjectKey,
  holds: (object: Frozen<T>) => boolean,
  deadlineMs = deadlineMsDefault,
): Promise<Frozen<T>> {
  let last: Frozen<T> | undefined;
  const found = await firstOf(client, resource, key, deadlineMs, () => (event) => {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') return undefined;
    last = event.object;
    return holds(last) ? last : undefined;
  });
  if (found !== undefined) return found;
  throw new Error(
    `${resource.kind} ${key.name} did not reach the expected state: ${JSON.stringify(last, undefined, 2)}`,
  );
}

export async function untilObjectGone(
  client: Pick<Client, 'watch'>,
  resource: Resource,
  key: ObjectKey,
  deadlineMs = deadlineMsDefault,
): Promise<void> {
  const isDeleted = await firstOf(client, resource, key, deadlineMs, () => {
    let exists = false;
    return ({ type }) => {
      if (type === 'ADDED' || type === 'MODIFIED') exists = true;
      // The bookmark ends the initial events. If they do not contain the object, it was deleted before the watch started.
      return type === 'DELETED' || (type === 'BOOKMARK' && !exists) ? true : undefined;
    };
  });
  if (isDeleted !== true) throw new Error(`${resource.kind} ${key.name} still exists`);
}

/**
 * Watches one object and returns the first defined result of the function that `begin` creates. When the server ends the watch,
 * starts a new watch with a new function. Returns undefined at the deadline.
 */
async function firstOf<T extends KubeObject, Found>(
  client: Pick<Client, 'watch'>,
  resource: Resource<T>,
  { namespace, name }: ObjectKey,
  deadlineMs: number,
  begin: () => (event: WatchEvent<T>) => Found | undefined,
): Promise<Found | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const selection = { namespace, fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal };
  try {
    while (!signal.aborted) {
      const inspect = begin();
      for await (const batch of client.watch(resource, selection))
        for (const event of batch) {
          const found = inspect(event);
          if (found !== undefined) return found;
        }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return undefined;
}
