import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client, ObjectKey, Resource, WatchEvent } from '@slipway/runtime';

const deadlineMsDefault = 100_000;

/** The object once `holds` says so: waits for events, in real time. */
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
  throw new Error(`${resource.kind} ${key.name} did not get there: ${JSON.stringify(last, undefined, 2)}`);
}

export async function untilObjectGone(
  client: Pick<Client, 'watch'>,
  resource: Resource,
  key: ObjectKey,
  deadlineMs = deadlineMsDefault,
): Promise<void> {
  const isGone = await firstOf(client, resource, key, deadlineMs, () => {
    let isThere = false;
    return ({ type }) => {
      if (type === 'ADDED' || type === 'MODIFIED') isThere = true;
      // The end of what is there: it may have gone before we looked.
      return type === 'DELETED' || (type === 'BOOKMARK' && !isThere) ? true : undefined;
    };
  });
  if (isGone !== true) throw new Error(`${resource.kind} ${key.name} is still there`);
}

/** What is first found in the events of one object, from what it is now. Servers end watches when they like: another one begins. */
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
      const look = begin();
      for await (const batch of client.watch(resource, selection))
        for (const event of batch) {
          const found = look(event);
          if (found !== undefined) return found;
        }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return undefined;
}
