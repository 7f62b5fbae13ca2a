import { expect, it } from 'vitest';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Client, type ConfigMap, configMaps, type WatchEvent } from '@slipway/runtime';
import { configMap, failure, namespace, patience } from './conformance-fixtures.js';

export function watchTests(use: () => Client): void {
  it('reports changes after a list in order', async () => {
    const client = use();
    const { resourceVersion } = await client.list(configMaps, { namespace });
    const seen = collect(client, { resourceVersion, labelSelector: 'watched' }, 4);
    const key = { namespace, name: 'watched' };
    await client.create(configMaps, configMap('watched', { step: '1' }, { watched: 'yes' }));
    await client.patch(configMaps, key, { type: 'merge', patch: { data: { step: '2' } } });
    await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { labels: { watched: null } } } });
    await client.patch(configMaps, key, { type: 'merge', patch: { metadata: { labels: { watched: 'again' } } } });
    expect((await seen).map(summary)).toEqual([
      'ADDED watched 1',
      'MODIFIED watched 2',
      'DELETED watched 2',
      'ADDED watched 2',
    ]);
  });

  it('streams the initial state, a bookmark and then live events', async () => {
    const client = use();
    await client.create(configMaps, configMap('streamed-a', { step: '1' }, { streamed: 'yes' }));
    await client.create(configMaps, configMap('streamed-b', { step: '1' }, { streamed: 'yes' }));
    const seen = collect(client, { labelSelector: 'streamed', sendInitialEvents: true }, 4, async (event) => {
      if (event.type === 'BOOKMARK') await client.delete(configMaps, { namespace, name: 'streamed-a' });
    });
    const events = await seen;
    expect(events.map(summary)).toEqual([
      'ADDED streamed-a 1',
      'ADDED streamed-b 1',
      'BOOKMARK end',
      'DELETED streamed-a 1',
    ]);
    expect(events.every((event) => !('object' in event) || Object.isFrozen(event.object.metadata))).toBe(true);
  });

  it('ends without a failure when its signal is aborted, before and while it runs', async () => {
    const client = use();
    const stopper = new AbortController();
    const batches = client.watch(configMaps, { namespace, sendInitialEvents: true, signal: stopper.signal });
    for await (const batch of batches) {
      expect(batch.length).toBeGreaterThan(0);
      stopper.abort(new Error('enough'));
    }
    const late: unknown[] = [];
    for await (const batch of client.watch(configMaps, { namespace, signal: stopper.signal })) late.push(batch);
    expect(late).toEqual([]);
  });

  it('fails for a resource that is not served', async () => {
    const unknown = { group: '', version: 'v1', kind: 'Gadget', plural: 'gadgets', namespaced: true };
    const run = async (): Promise<void> => {
      for await (const batch of use().watch(unknown)) expect(batch).toEqual([]);
    };
    expect((await failure(run())).reason).toBe('NotFound');
  });
}

type Events = WatchEvent<ConfigMap>[];

async function collect(
  client: Client,
  options: { resourceVersion?: string; labelSelector: string; sendInitialEvents?: boolean },
  count: number,
  react?: (event: WatchEvent<ConfigMap>) => Promise<void>,
): Promise<Events> {
  const stopper = new AbortController();
  const timer = setTimeout(() => stopper.abort(new Error('too late')), patience);
  const events: Events = [];
  try {
    for await (const batch of client.watch(configMaps, { namespace, ...options, signal: stopper.signal })) {
      for (const event of batch) {
        // The server may send bookmarks at any time.
        if (event.type === 'BOOKMARK' && !event.initialEventsEnd) continue;
        events.push(event);
        await react?.(event);
      }
      if (events.length >= count) return events;
    }
  } finally {
    clearTimeout(timer);
    stopper.abort(new Error('done'));
  }
  return events;
}

function summary(event: WatchEvent<ConfigMap>): string {
  if (event.type === 'BOOKMARK') return `BOOKMARK ${event.initialEventsEnd ? 'end' : ''}`;
  if (event.type === 'ERROR') return `ERROR ${event.status.message}`;
  const object: Frozen<KubeObject> & { readonly data?: Readonly<Record<string, string>> } = event.object;
  return `${event.type} ${object.metadata.name} ${object.data?.['step']}`;
}
