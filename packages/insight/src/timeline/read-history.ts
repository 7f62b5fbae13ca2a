import { type Clock } from '@slipway/base';
import { clusters, labels, machines } from '@slipway/cluster-api';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Client, ObjectKey, Resource } from '@slipway/runtime';
import type { Observed } from '../objects/index.js';

const kinds: readonly Resource[] = [clusters, machines, kubeadmControlPlanes];
const timeoutMs = 2_000;

/**
 * Returns earlier states of the objects of a cluster, from the watch history of the server. Returns nothing if the history has
 * been compacted.
 */
export async function readHistory(
  client: Client,
  key: ObjectKey,
  clock: Clock,
  signal?: AbortSignal,
): Promise<readonly Observed[]> {
  const states = await Promise.all(kinds.map((resource) => historyOf(client, resource, key, clock, signal)));
  return states.flat();
}

/** Returns earlier states of one object, from the watch history of the server. */
export function readObjectHistory(
  client: Client,
  resource: Resource,
  { namespace, name }: ObjectKey,
  clock: Clock,
  signal?: AbortSignal,
): Promise<readonly Observed[]> {
  return replay(client, resource, { namespace, fieldSelector: `metadata.name=${name}` }, clock, signal);
}

function historyOf(
  client: Client,
  resource: Resource,
  { namespace, name }: ObjectKey,
  clock: Clock,
  outer: AbortSignal | undefined,
): Promise<readonly Observed[]> {
  const selection =
    resource.kind === 'Cluster'
      ? { fieldSelector: `metadata.name=${name}` }
      : { labelSelector: `${labels.clusterName}=${name}` };
  return replay(client, resource, { namespace, ...selection }, clock, outer);
}

interface Selection {
  readonly namespace: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

async function replay(
  client: Client,
  resource: Resource,
  selection: Selection,
  clock: Clock,
  outer: AbortSignal | undefined,
): Promise<readonly Observed[]> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  outer?.addEventListener('abort', stop, { once: true });
  const timer = clock.setTimer(timeoutMs, stop);
  const states: Observed[] = [];
  try {
    const { items } = await client.list(resource, { ...selection, signal: stopping.signal });
    const last = Math.max(0, ...items.map(({ metadata }) => Number(metadata.resourceVersion ?? 0)));
    const watch = { ...selection, resourceVersion: '1', signal: stopping.signal };
    for await (const events of client.watch(resource, watch)) {
      for (const event of events) if (event.type === 'ADDED' || event.type === 'MODIFIED') states.push(event.object);
      const newest = Number(states.at(-1)?.metadata.resourceVersion ?? 0);
      if (newest >= last || events.some(({ type }) => type === 'ERROR')) break;
    }
  } catch {
    // The history has been compacted. The timeline then uses the current objects only.
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', stop);
    stop();
  }
  return states;
}
