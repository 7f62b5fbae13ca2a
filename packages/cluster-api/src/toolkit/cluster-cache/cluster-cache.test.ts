import { beforeEach, describe, expect, it } from 'vitest';
import { type Disposable, seededRandom, VirtualClock } from '@slipway/base';
import { deepFreeze, type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import {
  type Client,
  ConnectionError,
  type ObjectKey,
  type RemoteClient,
  type Resource,
  type WatchEvent,
  type WatchOptions,
} from '@slipway/runtime';
import { ClusterCache } from './cluster-cache.js';
import { ClusterDisconnected } from './cluster-disconnected.js';
import type { KubeconfigSource } from './kubeconfig-source.js';

const cluster: ObjectKey = { namespace: 'a', name: 'one' };

class Kubeconfigs implements KubeconfigSource {
  readonly texts = new Map<string, string>();
  readonly #listeners = new Set<(key: ObjectKey) => void>();

  read(key: ObjectKey): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(key.name));
  }

  onChange(listener: (key: ObjectKey) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  set(key: ObjectKey, text: string | undefined): void {
    if (text === undefined) this.texts.delete(key.name);
    else this.texts.set(key.name, text);
    for (const listener of this.#listeners) listener(key);
  }
}

/** A static collection of a workload cluster that counts its open watches. */
class FakeWorkload {
  readonly resource: Resource = { group: '', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
  openWatches = 0;
  readonly #objects: Frozen<KubeObject>[] = [];

  add(name: string): void {
    const metadata = { name, namespace: 'a', uid: name, resourceVersion: '1' };
    this.#objects.push(deepFreeze({ apiVersion: 'v1', kind: 'Thing', metadata }));
  }

  client(): Client {
    const partial: Partial<Client> = {
      watch: <T extends KubeObject>(_resource: Resource<T>, options: WatchOptions = {}) =>
        this.#watch(options) as AsyncIterable<readonly WatchEvent<T>[]>,
    };
    return partial as Client;
  }

  /** Serves a streaming list, which informers try first. */
  async *#watch({ signal, onOpen }: WatchOptions): AsyncGenerator<readonly WatchEvent<KubeObject>[]> {
    this.openWatches += 1;
    try {
      onOpen?.();
      yield this.#objects.map((object) => ({ type: 'ADDED' as const, object }));
      yield [{ type: 'BOOKMARK', resourceVersion: '1', initialEventsEnd: true }];
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      this.openWatches -= 1;
    }
  }
}

let clock: VirtualClock;
let kubeconfigs: Kubeconfigs;
let server: FakeWorkload;
let log: string[];
let probes: number;
let state: 'up' | 'down' | 'black hole' | 'unauthorized' | 'forbidden';
let cache: ClusterCache;

beforeEach(() => {
  clock = new VirtualClock();
  kubeconfigs = new Kubeconfigs();
  server = new FakeWorkload();
  log = [];
  probes = 0;
  state = 'up';
  cache = new ClusterCache({ kubeconfigs, clock, random: seededRandom(3), connect });
  cache.onChange((key, connected) => log.push(`${key.name} ${connected ? 'connected' : 'lost'}`));
});

function connect(kubeconfig: string): RemoteClient {
  log.push(`connect ${kubeconfig}`);
  return {
    ...server.client(),
    getRaw: () => probe(),
    close: () => log.push(`close ${kubeconfig}`),
  } as unknown as RemoteClient;
}

function probe(): Promise<string> {
  probes += 1;
  switch (state) {
    case 'up':
      return Promise.resolve('{}');
    case 'down':
      return Promise.reject(new ConnectionError('unreachable', 'connection refused'));
    case 'black hole':
      return new Promise((_, reject) =>
        clock.setTimer(5_000, () => reject(new ConnectionError('timeout', 'no answer'))),
      );
    case 'unauthorized':
      return Promise.reject(new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }));
    case 'forbidden':
      return Promise.reject(new StatusError({ code: 403, reason: 'Forbidden', message: 'forbidden' }));
  }
}

async function failure(work: Promise<unknown>): Promise<ClusterDisconnected> {
  try {
    await work;
  } catch (error) {
    return error as ClusterDisconnected;
  }
  throw new Error('a failure was expected');
}

describe('connecting', () => {
  it('happens on first use, once for concurrent requests', async () => {
    kubeconfigs.set(cluster, 'k1');
    await clock.advance(60_000);
    expect(log).toEqual([]);
    expect(cache.connectedCluster(cluster)).toBeUndefined();
    const handles = await Promise.all([cache.cluster(cluster), cache.cluster(cluster), cache.cluster(cluster)]);
    expect(new Set(handles).size).toBe(1);
    expect(cache.connectedCluster(cluster)).toBe(handles[0]);
    expect(log).toEqual(['connect k1', 'one connected']);
  });

  it('waits for a kubeconfig, and reports that it is missing', async () => {
    const missing = await failure(cache.cluster(cluster));
    expect(missing).toBeInstanceOf(ClusterDisconnected);
    expect(missing.reason).toBe('NoKubeconfig');
    expect(missing.message).toBe('cluster a/one is not connected: the kubeconfig Secret does not exist yet');
    kubeconfigs.set(cluster, 'k1');
    expect(await cache.cluster(cluster)).toBeDefined();
  });

  it('happens automatically, and is reported, when the kubeconfig is created after a request', async () => {
    await failure(cache.cluster(cluster));
    kubeconfigs.set(cluster, 'k1');
    await clock.advance(0);
    expect(log).toEqual(['connect k1', 'one connected']);
  });

  it('is retried immediately on request', async () => {
    kubeconfigs.set(cluster, 'k1');
    state = 'down';
    await failure(cache.cluster(cluster));
    state = 'up';
    await failure(cache.cluster(cluster));
    cache.hurry(cluster);
    await clock.advance(0);
    expect(cache.health(cluster).connected).toBe(true);
    cache.hurry(cluster);
    cache.hurry({ namespace: 'a', name: 'not requested' });
    expect(log).toEqual(['connect k1', 'close k1', 'connect k1', 'one connected']);
  });

  it('accepts any response of the server as success', async () => {
    state = 'forbidden';
    kubeconfigs.set(cluster, 'k1');
    expect(await cache.cluster(cluster)).toBeDefined();
  });

  it('retries with back-off, and fails immediately until the next retry', async () => {
    state = 'down';
    kubeconfigs.set(cluster, 'k1');
    expect((await failure(cache.cluster(cluster))).reason).toBe('Unreachable');
    for (let call = 0; call < 10; call += 1) expect((await failure(cache.cluster(cluster))).reason).toBe('Unreachable');
    expect(probes).toBe(1);
    await clock.advance(60_000);
    // 2, 4, 8, 16 and 32 s, each with 25 percent jitter.
    expect(probes).toBeGreaterThanOrEqual(5);
    expect(probes).toBeLessThanOrEqual(6);
    state = 'up';
    await clock.advance(120_000);
    expect(cache.health(cluster).connected).toBe(true);
    expect(log.at(-1)).toBe('one connected');
  });
});

describe('probing', () => {
  it('repeats every ten seconds and records the last success', async () => {
    kubeconfigs.set(cluster, 'k1');
    await cache.cluster(cluster);
    await clock.advance(100_000);
    expect(probes).toBeGreaterThanOrEqual(10);
    expect(probes).toBeLessThanOrEqual(12);
    const { lastProbeSuccessAt = 0 } = cache.health(cluster);
    expect(clock.now() - lastProbeSuccessAt).toBeLessThan(10_500);
  });

  it('disconnects a cluster after five consecutive failures, not before [14.41]', async () => {
    kubeconfigs.set(cluster, 'k1');
    await cache.cluster(cluster);
    state = 'black hole';
    await clock.advance(30_000);
    expect(cache.health(cluster).connected).toBe(true);
    expect(cache.health(cluster).consecutiveFailures).toBeGreaterThan(0);
    state = 'up';
    await clock.advance(20_000);
    expect(cache.health(cluster)).toMatchObject({ connected: true, consecutiveFailures: 0 });
    const successAt = cache.health(cluster).lastProbeSuccessAt ?? 0;
    state = 'black hole';
    await clock.advance(90_000);
    expect(cache.health(cluster)).toMatchObject({ connected: false, lastError: expect.stringContaining('no answer') });
    expect(cache.health(cluster).lastProbeSuccessAt ?? 0).toBeLessThan(successAt + 11_000);
    expect(log).toContain('one lost');
    expect((await failure(cache.cluster(cluster))).reason).toBe('Unreachable');
  });

  it('disconnects immediately when the credentials are rejected', async () => {
    kubeconfigs.set(cluster, 'k1');
    await cache.cluster(cluster);
    state = 'unauthorized';
    await clock.advance(11_000);
    expect((await failure(cache.cluster(cluster))).reason).toBe('Unauthorized');
  });

  it('spreads the probes of many clusters', async () => {
    const count = 1_000;
    for (let index = 0; index < count; index += 1) kubeconfigs.set({ namespace: 'a', name: `c${index}` }, `k${index}`);
    const all = Array.from({ length: count }, (_, index) => cache.cluster({ namespace: 'a', name: `c${index}` }));
    await Promise.all(all);
    let busiest = 0;
    for (let tick = 0; tick < 300; tick += 1) {
      const before = probes;
      await clock.advance(100);
      busiest = Math.max(busiest, probes - before);
    }
    expect(probes).toBeGreaterThan(3 * count);
    expect(busiest).toBeLessThan(40);
  });
});

describe('a kubeconfig that changes', () => {
  it('replaces the connection [14.48]', async () => {
    kubeconfigs.set(cluster, 'k1');
    await cache.cluster(cluster);
    kubeconfigs.set(cluster, 'k1');
    await clock.advance(0);
    expect(log).toEqual(['connect k1', 'one connected']);
    kubeconfigs.set(cluster, 'k2');
    await clock.advance(0);
    expect(log.slice(2)).toEqual(['close k1', 'one lost', 'connect k2', 'one connected']);
  });

  it('closes the connection when it is deleted', async () => {
    kubeconfigs.set(cluster, 'k1');
    await cache.cluster(cluster);
    kubeconfigs.set(cluster, undefined);
    await clock.advance(0);
    expect(log.slice(2)).toEqual(['close k1', 'one lost']);
    expect(cache.size).toBe(0);
    const before = probes;
    await clock.advance(60_000);
    expect(probes).toBe(before);
  });

  it('reconnects a cluster whose kubeconfig was invalid', async () => {
    state = 'down';
    kubeconfigs.set(cluster, 'k1');
    await failure(cache.cluster(cluster));
    state = 'up';
    kubeconfigs.set(cluster, 'k2');
    await clock.advance(0);
    expect(await cache.cluster(cluster)).toBeDefined();
  });
});

describe('watching', () => {
  const watch = (seen: string[]) => ({
    name: 'things',
    resource: server.resource,
    handler: { added: (object: Frozen<KubeObject>) => seen.push(object.metadata.name ?? '') },
  });

  it('is idempotent for the same name, and applies to every connection', async () => {
    server.add('x');
    kubeconfigs.set(cluster, 'k1');
    const seen: string[] = [];
    await cache.watch(cluster, watch(seen));
    await cache.watch(cluster, watch(seen));
    await clock.advance(0);
    expect(seen).toEqual(['x']);
    kubeconfigs.set(cluster, 'k2');
    await clock.advance(0);
    expect(seen).toEqual(['x', 'x']);
    expect(server.openWatches).toBe(1);
  });

  it('starts later if the cluster is unreachable now', async () => {
    server.add('x');
    state = 'down';
    kubeconfigs.set(cluster, 'k1');
    const seen: string[] = [];
    expect((await failure(cache.watch(cluster, watch(seen)))).reason).toBe('Unreachable');
    state = 'up';
    await clock.advance(10_000);
    expect(seen).toEqual(['x']);
  });

  it('shares informers, and stops them with the cluster', async () => {
    kubeconfigs.set(cluster, 'k1');
    const informer = await cache.informer(cluster, server.resource);
    expect(await cache.informer(cluster, server.resource)).toBe(informer);
    await clock.advance(0);
    cache.forget(cluster);
    await clock.advance(0);
    expect(server.openWatches).toBe(0);
    expect(cache.health(cluster)).toEqual({ connected: false, consecutiveFailures: 0 });
  });

  it('stops everything when the cache is disposed', async () => {
    kubeconfigs.set(cluster, 'k1');
    await cache.watch(cluster, watch([]));
    await cache.dispose();
    await clock.advance(60_000);
    expect(server.openWatches).toBe(0);
    expect(clock.nextTimerMs()).toBeUndefined();
  });
});
