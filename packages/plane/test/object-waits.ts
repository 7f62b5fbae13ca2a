import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client, ObjectKey, Resource, WatchEvent } from '@slipway/runtime';

const deadlineMsDefault = 60_000;

/** The object once `holds` says so: waits for events, in real time. */
export async function untilObject<T extends KubeObject>(
  client: Pick<Client, 'watch'>,
  resource: Resource<T>,
  key: ObjectKey,
  holds: (object: Frozen<T>) => boolean,
  deadlineMs = deadlineMsDefault,
): Promise<Frozen<T>> {
  let last: Frozen<T> | undefined;
  for await (const event of eventsOf(client, resource, key, deadlineMs)) {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
    last = event.object;
    if (holds(last)) return last;
  }
  throw new Error(`${resource.kind} ${key.name} did not get there: ${JSON.stringify(last, undefined, 2)}`);
}

export async function untilObjectGone(
  client: Pick<Client, 'watch'>,
  resource: Resource,
  key: ObjectKey,
  deadlineMs = deadlineMsDefault,
): Promise<void> {
  let isThere = false;
  for await (const event of eventsOf(client, resource, key, deadlineMs)) {
    if (event.type === 'DELETED') return;
    if (event.type === 'ADDED' || event.type === 'MODIFIED') isThere = true;
    // The end of what is there: it may have gone before we looked.
    if (event.type === 'BOOKMARK' && !isThere) return;
  }
  throw new Error(`${resource.kind} ${key.name} is still there`);
}

/** Of one object, from what it is now until the deadline. */
async function* eventsOf<T extends KubeObject>(
  client: Pick<Client, 'watch'>,
  resource: Resource<T>,
  { namespace, name }: ObjectKey,
  deadlineMs: number,
): AsyncGenerator<WatchEvent<T>> {
  const signal = AbortSignal.timeout(deadlineMs);
  const selection = { namespace, fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal };
  try {
    for await (const batch of client.watch(resource, selection)) yield* batch;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
