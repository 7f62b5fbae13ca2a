import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom, VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client } from '../client/index.js';
import { FakeCollection } from './fake-collection.js';
import type { Informer, InformerHandler } from './informer.js';
import { InformerFactory, type InformerOptions } from './informer-factory.js';

let clock: VirtualClock;
let server: FakeCollection;
let factory: InformerFactory;

beforeEach(() => {
  clock = new VirtualClock();
  server = new FakeCollection();
  factory = factoryOf(server.client());
});

function factoryOf(client: Client): InformerFactory {
  return new InformerFactory({ client, clock, random: seededRandom(1) });
}

function recorder(): { handler: InformerHandler<KubeObject>; log: string[] } {
  const log: string[] = [];
  const handler: InformerHandler<KubeObject> = {
    added: (object, { initial }) => log.push(`${initial ? 'initial' : 'added'} ${text(object)}`),
    updated: (object, previous) => log.push(`updated ${text(previous)} -> ${text(object)}`),
    deleted: (object) => log.push(`deleted ${text(object)}`),
  };
  return { handler, log };
}

function text(object: Frozen<KubeObject>): string {
  return `${object.metadata.name}=${String(object['value'])}`;
}

function open(options: InformerOptions<KubeObject> = {}): Informer {
  return factory.informer(server.resource, options);
}

async function settle(ms = 0): Promise<void> {
  await clock.advance(ms);
}

describe('an informer', () => {
  it('streams the state and then every change, in order', async () => {
    server.set('x', 1);
    const { handler, log } = recorder();
    const informer = open();
    informer.addHandler(handler);
    expect(informer.synced).toBe(false);
    await settle();
    expect(informer.synced).toBe(true);
    server.set('x', 2);
    server.set('y', 1);
    server.remove('x');
    await settle();
    expect(log).toEqual(['initial x=1', 'updated x=1 -> x=2', 'added y=1', 'deleted x=2']);
    expect(informer.list().map(text)).toEqual(['y=1']);
    expect(server.calls).toEqual(['stream']);
  });

  it('caches the objects that the client returned, without copies', async () => {
    const object = server.set('x', 1);
    const informer = open();
    await settle();
    expect(informer.get({ namespace: 'a', name: 'x' })).toBe(object);
    const changed = server.set('x', 2);
    await settle();
    expect(informer.list('a')[0]).toBe(changed);
    expect(informer.list('b')).toEqual([]);
  });

  it('falls back to list and watch, page by page, when the server cannot stream', async () => {
    server.streams = false;
    for (let index = 0; index < 5; index += 1) server.set(`x${index}`, index);
    factory = new InformerFactory({
      client: server.client(),
      clock,
      random: seededRandom(1),
      limits: { listPageSize: 2 },
    });
    const informer = open();
    await settle();
    expect(informer.size).toBe(5);
    expect(server.calls).toEqual(['stream', 'list', 'list', 'list', 'watch']);
    server.set('x0', 9);
    await settle();
    expect(informer.get({ namespace: 'a', name: 'x0' })?.['value']).toBe(9);
  });

  it('delivers the current state to late handlers immediately', async () => {
    server.set('x', 1);
    const informer = open();
    await settle();
    const { handler, log } = recorder();
    const registration = informer.addHandler(handler);
    expect(log).toEqual(['initial x=1']);
    await registration.dispose();
    server.set('x', 2);
    await settle();
    expect(log).toEqual(['initial x=1']);
  });

  it('resumes from the last version when a watch ends, without listing again', async () => {
    const { handler, log } = recorder();
    open().addHandler(handler);
    await settle();
    await settle(5_000);
    server.endWatches();
    server.set('x', 1);
    await settle();
    expect(server.calls).toEqual(['stream', 'watch']);
    expect(log).toEqual(['added x=1']);
  });

  it('lists again after history was lost, and reports missed changes', async () => {
    server.set('x', 1);
    server.set('y', 1);
    const { handler, log } = recorder();
    open().addHandler(handler);
    await settle();
    await settle(5_000);
    server.faultFor = (call) => (call === 'watch' ? 'gone' : undefined);
    server.endWatches();
    server.remove('x');
    server.set('y', 2);
    server.set('z', 1);
    server.compact();
    await settle(2_000);
    expect(server.calls).toEqual(['stream', 'watch', 'stream']);
    expect(log.slice(2)).toEqual(['updated y=1 -> y=2', 'added z=1', 'deleted x=1']);
  });

  it('ignores events that it has already received', async () => {
    server.duplicates = true;
    const { handler, log } = recorder();
    open().addHandler(handler);
    await settle();
    server.set('x', 1);
    server.set('x', 2);
    server.remove('x');
    await settle();
    expect(log).toEqual(['added x=1', 'updated x=1 -> x=2', 'deleted x=2']);
  });

  it('reports another object with the same name as a deletion and an addition', async () => {
    server.set('x', 1, 'first');
    const { handler, log } = recorder();
    open().addHandler(handler);
    await settle();
    server.set('x', 2, 'second');
    await settle();
    expect(log).toEqual(['initial x=1', 'deleted x=1', 'added x=2']);
  });

  it('backs off from a failing server, and reports why it is not synced', async () => {
    server.faultFor = () => 'refuse';
    const informer = open();
    await settle(60_000);
    // The back-off doubles from 0.8 s to 30 s, and jitter makes each delay up to twice as long.
    expect(server.calls.length).toBeGreaterThan(4);
    expect(server.calls.length).toBeLessThan(9);
    expect(informer.status()).toMatchObject({ synced: false, lastError: { message: 'not today' } });
    server.faultFor = () => undefined;
    await settle(60_000);
    expect(informer.status()).toMatchObject({ synced: true, lastError: undefined });
  });

  it('recovers as soon as the server accepts the watch, even without events', async () => {
    const informer = open();
    await settle();
    server.faultFor = () => 'refuse';
    server.endWatches();
    await settle(5_000);
    expect(informer.status().lastError).toMatchObject({ message: 'not today' });
    server.faultFor = () => undefined;
    await settle(30_000);
    expect(informer.status()).toMatchObject({ synced: true, lastError: undefined });
  });

  it('backs off when watches end immediately', async () => {
    open();
    await settle();
    server.faultFor = (call) => (call === 'watch' ? 'short' : undefined);
    server.endWatches();
    await settle(60_000);
    expect(server.calls.length).toBeLessThan(10);
  });

  it('backs off when the history is always compacted', async () => {
    server.streams = false;
    server.faultFor = (call) => (call === 'watch' ? 'gone' : undefined);
    open();
    await settle(60_000);
    expect(server.calls.length).toBeLessThan(20);
  });

  it('replaces a watch that has gone silent, but not one that sends bookmarks', async () => {
    open();
    await settle();
    for (let minute = 0; minute < 10; minute += 1) {
      server.bookmark();
      await settle(60_000);
    }
    expect(server.calls).toEqual(['stream']);
    await settle(240_000);
    expect(server.calls).toEqual(['stream', 'watch']);
  });

  it('relists when a second watch stays silent: the server may have been restored from a backup', async () => {
    for (let index = 0; index < 10; index += 1) server.set('x', index);
    const informer = open();
    await settle();
    server.rewind(3);
    server.endWatches();
    server.set('y', 1);
    await settle(400_000);
    expect(server.calls).toContain('watch');
    expect(informer.list().map(text).sort()).toEqual(['x=9', 'y=1']);
    server.set('y', 2);
    await settle();
    expect(informer.get({ namespace: 'a', name: 'y' })?.['value']).toBe(2);
  });

  it('falls back to a list when a streaming list hangs: old servers never end one', async () => {
    server.set('x', 1);
    server.faultFor = (_, number) => (number === 1 ? 'hang' : undefined);
    const informer = open();
    await settle(70_000);
    expect(informer.synced).toBe(true);
    expect(server.calls).toEqual(['stream', 'list', 'watch']);
  });

  it('delivers every object again on a resync', async () => {
    server.set('x', 1);
    const { handler, log } = recorder();
    open({ resyncMs: 10_000 }).addHandler(handler);
    await settle(25_000);
    expect(log).toEqual(['initial x=1', 'updated x=1 -> x=1', 'updated x=1 -> x=1']);
  });

  it('survives a handler that throws', async () => {
    const { handler, log } = recorder();
    const informer = open();
    informer.addHandler({
      added: () => {
        throw new Error('mistake');
      },
    });
    informer.addHandler(handler);
    await settle();
    server.set('x', 1);
    await settle();
    expect(log).toEqual(['added x=1']);
  });
});

describe('informer indexes', () => {
  it('follow additions, changes and deletions, whenever the index was added', async () => {
    server.set('x', 1);
    server.set('y', 2);
    const byValue = (object: Frozen<KubeObject>): string[] => [String(object['value'])];
    const informer = open({ indexes: { value: byValue } });
    await settle();
    informer.addIndex('late', byValue);
    server.set('x', 2);
    server.remove('y');
    await settle();
    for (const name of ['value', 'late']) {
      expect(informer.byIndex(name, '1')).toEqual([]);
      expect(informer.byIndex(name, '2').map(text)).toEqual(['x=2']);
    }
    informer.addIndex('value', byValue);
    expect(() => informer.addIndex('value', () => [])).toThrow('index value already exists with another function');
    expect(() => informer.byIndex('none', '')).toThrow('unknown index none; known indexes: value, late');
  });
});

describe('waitFor', () => {
  it('resolves with the first truthy result', async () => {
    const informer = open();
    const waiting = informer.waitFor((view) => view.get({ namespace: 'a', name: 'x' })?.['value']);
    await settle();
    server.set('x', 5);
    await settle();
    expect(await waiting).toBe(5);
    await informer.whenSynced();
  });

  it('rejects when its signal aborts, the informer stops or the check throws', async () => {
    const stopper = new AbortController();
    const informer = open();
    const never = informer.waitFor(() => undefined, { signal: stopper.signal });
    stopper.abort(new Error('enough'));
    await expect(never).rejects.toThrow('enough');
    await settle();
    const broken = informer.waitFor(() => {
      throw new Error('mistake');
    });
    await expect(broken).rejects.toThrow('mistake');
    const [orphan] = await Promise.allSettled([informer.waitFor(() => undefined), factory.dispose()]);
    expect(orphan).toMatchObject({ status: 'rejected', reason: { message: 'the informer of things has stopped' } });
    expect(server.openWatches).toBe(0);
  });
});

describe('InformerFactory', () => {
  it('shares informers of the same collection only', () => {
    const informer = open();
    expect(open()).toBe(informer);
    expect(open({ namespace: 'a' })).not.toBe(informer);
    expect(open({ labelSelector: 'a=b' })).not.toBe(informer);
    expect(open({ stripManagedFields: true })).not.toBe(informer);
    expect(() => open({ transform: (object) => object })).toThrow('is shared and has another transform');
    expect(factory.informers()).toHaveLength(4);
  });

  it('strips managedFields if requested, except from objects that are shared with the server', async () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'x', namespace: 'a', resourceVersion: '1', managedFields: [{ manager: 'm' }] },
    };
    const client = (sharesObjects: boolean): Client => {
      const list = () => Promise.resolve({ items: [object], resourceVersion: '1' });
      return { ...server.client(), sharesObjects, list } as unknown as Client;
    };
    server.streams = false;
    for (const shared of [false, true]) {
      factory = factoryOf(client(shared));
      const informer = open({ stripManagedFields: true });
      await settle();
      const cached = informer.get({ namespace: 'a', name: 'x' });
      expect(cached?.metadata.managedFields === undefined).toBe(!shared);
      expect(cached === (object as unknown)).toBe(shared);
    }
  });
});
