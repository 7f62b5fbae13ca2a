import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '@slipway/base';
import { clusters, labels } from '@slipway/cluster-api';
import type { Client, ObjectKey, Resource } from '@slipway/runtime';
import type { ObjectSet } from './object-set.js';
import { type ClusterReadOptions, NotFoundError, readCluster, watchedKinds } from './read-objects.js';

export interface WatchClusterOptions extends ClusterReadOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Changes come in bursts and are collected for this time before the cluster is read again. */
const collectMs = 200;
const reopenMs = 1_000;

/** Yields a snapshot of the cluster now and after each change. Ends when the cluster is deleted or the signal aborts. */
export async function* watchCluster(
  client: Client,
  key: ObjectKey,
  options: WatchClusterOptions,
): AsyncGenerator<ObjectSet> {
  const { clock, signal } = options;
  const stopping = new AbortController();
  // One listener per kind: without a higher limit Node prints a leak warning into the output.
  setMaxListeners(0, stopping.signal);
  const stop = (): void => stopping.abort();
  signal.addEventListener('abort', stop, { once: true });
  const change = new Change();
  stopping.signal.addEventListener('abort', () => change.note(), { once: true });
  try {
    const named = { labelSelector: `${labels.clusterName}=${key.name}` };
    const own = { fieldSelector: `metadata.name=${key.name}` };
    const watching = [{ resource: clusters as Resource, query: own }].concat(
      (await watchedKinds(client, signal)).map((resource) => ({ resource, query: named as never })),
    );
    for (const { resource, query } of watching)
      void noteChanges(
        client,
        resource,
        { ...query, namespace: key.namespace, signal: stopping.signal },
        change,
        clock,
      );
    while (!stopping.signal.aborted) {
      change.forget();
      const set = await readOrEnd(client, key, options);
      if (set === undefined) return;
      yield set;
      await change.wait();
      if (!stopping.signal.aborted) await sleep(clock, collectMs, { signal: stopping.signal }).catch(() => undefined);
    }
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
  }
}

async function readOrEnd(client: Client, key: ObjectKey, options: WatchClusterOptions): Promise<ObjectSet | undefined> {
  try {
    return await readCluster(client, key, options);
  } catch (error) {
    if (error instanceof NotFoundError || options.signal.aborted) return undefined;
    throw error;
  }
}

interface Selection {
  readonly namespace: string;
  readonly signal: AbortSignal;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

async function noteChanges(
  client: Client,
  resource: Resource,
  selection: Selection,
  change: Change,
  clock: Clock,
): Promise<void> {
  const { signal } = selection;
  while (!signal.aborted) {
    let wasOpen = false;
    const onOpen = (): void => {
      wasOpen = true;
    };
    try {
      for await (const events of client.watch(resource, { ...selection, metadataOnly: true, onOpen })) {
        wasOpen = true;
        if (events.some(({ type }) => type !== 'BOOKMARK')) change.note();
      }
    } catch {
      // The server is unavailable or no longer serves this kind. The read that follows reports the error.
    }
    // Changes may have been missed since the watch ended. A watch that never opened, for lack of permission, did not miss any.
    if (wasOpen) change.note();
    if (!signal.aborted) await sleep(clock, reopenMs, { signal }).catch(() => undefined);
  }
}

/** A flag that wakes its waiter when it is set. */
class Change {
  #has = false;
  #wake: (() => void) | undefined;

  note(): void {
    this.#has = true;
    this.#wake?.();
  }

  forget(): void {
    this.#has = false;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#has) resolve();
    });
  }
}
