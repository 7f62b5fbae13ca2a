import type { Disposable } from '@slipway/base';
import { conflict, StatusError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { ObjectKey } from '../client/index.js';
import { done, type Outcome, ReconcileError, retry, terminal, wait } from '../controller/index.js';
import { FencedError } from '../leader-election/index.js';
import { bench, object, pods, sets } from '../testing/controller-bench.js';
import { labelsChanged, openGate, type ReconcileContext, watch } from './index.js';

describe('a controller', () => {
  it('resyncs the objects that pass its filters when it becomes responsible for more', async () => {
    const listeners: (() => void)[] = [];
    const onGained = (listener: () => void): Disposable => {
      listeners.push(listener);
      return { dispose: () => undefined };
    };
    const { clock, client, run } = bench({ ...openGate, onGained });
    for (const name of ['ours', 'theirs']) await client.create(sets, object(name));
    const seen: string[] = [];
    const controller = run({
      filter: ({ object: { metadata } }) => metadata.name !== 'theirs',
      reconcile: async ({ name }) => {
        seen.push(name);
        return done();
      },
    });
    await clock.advance(1);
    for (const listener of listeners) listener();
    await clock.advance(1);
    expect(seen).toEqual(['ours', 'ours']);
    await controller.stop(0);
  });

  it('starts no reconcile while its fence is closed, and continues when it opens', async () => {
    let isOpen = true;
    const fence = {
      check: () => {
        if (!isOpen) throw new FencedError('another leads');
      },
      signal: undefined,
    };
    const { clock, client, run } = bench({ ...openGate, fenceFor: () => fence });
    const seen: string[] = [];
    const controller = run({ reconcile: async ({ name }) => (seen.push(name), done()) });
    await clock.advance(0);
    isOpen = false;
    await client.create(sets, object('a'));
    await clock.advance(0);
    expect(seen).toEqual([]);
    isOpen = true;
    await clock.advance(1_000);
    expect(seen).toEqual(['a']);
    await controller.stop(0);
  });

  it('reconciles existing objects, changed objects, and the controller of owned objects', async () => {
    const { clock, client, run } = bench();
    await client.create(sets, object('a'));
    const seen: string[] = [];
    run({ owns: [pods], reconcile: async ({ name }) => (seen.push(name), done()) });
    await clock.advance(0);
    await client.create(sets, object('b'));
    const owner = { apiVersion: 'x.io/v2', kind: 'Set', name: 'a', uid: 'u', controller: true };
    await client.create(pods, object('p', 'Pod', { ownerReferences: [owner] }));
    await client.create(pods, object('q', 'Pod', { ownerReferences: [{ ...owner, controller: false }] }));
    await client.create(pods, object('r', 'Pod', { ownerReferences: [{ ...owner, apiVersion: 'y.io/v1' }] }));
    await clock.advance(0);
    expect(seen).toEqual(['a', 'b', 'a']);
  });

  it('maps other objects as they are and as they were, and filters events', async () => {
    const { clock, client, run } = bench();
    const seen: string[] = [];
    run({
      watches: [
        watch(pods, {
          map: (pod) => [{ namespace: 'ns', name: pod.metadata.labels?.['of'] ?? 'none' }],
          filter: labelsChanged,
        }),
      ],
      reconcile: async ({ name }) => (seen.push(name), done()),
    });
    await client.create(pods, object('p', 'Pod', { labels: { of: 'one' } }));
    await clock.advance(0);
    await client.patch(pods, { namespace: 'ns', name: 'p' }, { type: 'merge', patch: { spec: { x: 1 } } });
    await clock.advance(0);
    await client.patch(
      pods,
      { namespace: 'ns', name: 'p' },
      { type: 'merge', patch: { metadata: { labels: { of: 'two' } } } },
    );
    await clock.advance(0);
    expect(seen).toEqual(['one', 'two', 'one']);
  });

  it('never reconciles a key concurrently, and uses its full concurrency for different keys', async () => {
    const { clock, client, run } = bench();
    const running = new Set<string>();
    let most = 0;
    run({
      concurrency: 3,
      async reconcile({ name }, { clock: time }) {
        expect(running.has(name)).toBe(false);
        running.add(name);
        most = Math.max(most, running.size);
        await new Promise<void>((resolve) => time.setTimer(10, resolve));
        running.delete(name);
        return done();
      },
    });
    for (let round = 0; round < 3; round += 1) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        const key = { namespace: 'ns', name };
        if (round === 0) await client.create(sets, object(name));
        else await client.patch(sets, key, { type: 'merge', patch: { spec: { round } } });
        await clock.advance(3);
      }
    }
    await clock.advance(1_000);
    expect(most).toBe(3);
  });

  it('retries failures with exponential back-off, which resets after a success', async () => {
    const { clock, client, run, value } = bench();
    const at: number[] = [];
    let broken = true;
    const controller = run({
      async reconcile() {
        at.push(clock.monotonic());
        if (broken) throw new Error('no luck: token=abcdef');
        return done();
      },
    });
    await client.create(sets, object('a'));
    await clock.advance(2_000);
    const gaps = at.slice(1).map((time, index) => time - (at[index] as number));
    for (const [index, gap] of gaps.entries()) expect(gap).toBeGreaterThan((gaps[index - 1] ?? 0) * 1.5);
    expect(controller.debug().lastErrors['ns/a']?.message).toBe('no luck: token=[hidden]');
    expect(await value('controller_runtime_reconcile_total', { result: 'error' })).toBe(at.length);
    expect(await value('controller_runtime_reconcile_errors_total')).toBe(at.length);
    expect(await value('workqueue_retries_total')).toBe(at.length);
    broken = false;
    await clock.advance(60_000);
    expect(controller.debug().lastErrors).toEqual({});
    expect(controller.queue.failures('ns/a')).toBe(0);
  });

  const outcomes: { name: string; outcome: () => Outcome; runs: number; metrics: Record<string, number> }[] = [
    { name: 'done', outcome: done, runs: 1, metrics: { success: 1 } },
    {
      name: 'reconciles again after a wait with a time',
      outcome: () => wait({ ms: 400, reason: 'A', message: '' }),
      runs: 3,
      metrics: { requeue_after: 3 },
    },
    {
      name: 'does not reconcile again after a wait for a change',
      outcome: () => wait({ reason: 'A', message: '' }),
      runs: 1,
      metrics: { success: 1 },
    },
    {
      name: 'does not retry a terminal error',
      outcome: () => terminal(new Error('x')),
      runs: 1,
      metrics: { error: 1 },
    },
    {
      name: 'does not retry an error that waits for a change',
      outcome: () => retry(new ReconcileError('TemplateNotFound', 'x', { retry: 'onChange' })),
      runs: 1,
      metrics: { error: 1 },
    },
  ];
  it.each(outcomes)('$name', async ({ outcome, runs, metrics }) => {
    const { clock, client, run, value } = bench();
    let count = 0;
    run({ reconcile: async () => ((count += 1), outcome()) });
    await client.create(sets, object('a'));
    await clock.advance(1_000);
    expect(count).toBe(runs);
    for (const [result, times] of Object.entries(metrics))
      expect(await value('controller_runtime_reconcile_total', { result })).toBe(times);
    await client.patch(sets, { namespace: 'ns', name: 'a' }, { type: 'merge', patch: { spec: { x: 1 } } });
    await clock.advance(0);
    expect(count).toBe(runs + 1);
  });

  it('handles synchronous exceptions, and counts programming errors as panics', async () => {
    const { clock, client, run, value } = bench();
    run({
      reconcile: () => {
        throw new TypeError('undefined is not a function');
      },
    });
    await client.create(sets, object('a'));
    await clock.advance(0);
    expect(await value('controller_runtime_reconcile_panics_total')).toBe(1);
  });

  it('aborts a hanging reconcile, rejects its later writes, and reconciles the key again', async () => {
    const { clock, client, run, value, api } = bench();
    const contexts: ReconcileContext[] = [];
    let aborted = 0;
    run({
      timeoutMs: 1_000,
      reconcile: (_key, context) => {
        contexts.push(context);
        context.signal.addEventListener('abort', () => (aborted += 1));
        return new Promise<Outcome>(() => undefined);
      },
    });
    await client.create(sets, object('a'));
    await clock.advance(1_001);
    expect(aborted).toBe(1);
    await clock.advance(5_100);
    expect(contexts).toHaveLength(2);
    const before = api.writes.length;
    const zombie = {
      verb: 'create',
      resource: sets,
      object: object('zombie'),
      reason: 'Test',
      message: 'Written by a test',
    } as const;
    await expect(contexts[0]?.change(zombie)).rejects.toThrow(FencedError);
    expect(api.writes).toHaveLength(before);
    expect(await value('controller_runtime_reconcile_timeouts_total')).toBe(1);
  });

  it('succeeds after many conflicts', async () => {
    const { clock, client, run, api } = bench();
    await client.create(sets, object('a'));
    let refusals = 20;
    api.onWrite = ({ verb }) => {
      if (verb === 'patch' && refusals-- > 0) throw conflict({ group: 'x.io', resource: 'sets' }, 'a');
    };
    run({
      async reconcile(key: ObjectKey, context) {
        const body = { type: 'merge', patch: { spec: { seen: true } } } as const;
        await context.change({
          verb: 'patch',
          resource: sets,
          key,
          body,
          reason: 'Test',
          message: 'Written by a test',
        });
        return done();
      },
    });
    await clock.advance(1_200_000);
    expect(api.find(sets, { namespace: 'ns', name: 'a' })?.['spec']).toEqual({ seen: true });
  });

  it('waits until the caches contain its own writes [14.47]', async () => {
    const { clock, client, run, sources } = bench();
    sources.hiddenResources.add('pods.');
    let runs = 0;
    run({
      owns: [pods],
      async reconcile(key, context) {
        runs += 1;
        if (context.sources.sourceFor(pods).get(key) === undefined)
          await context.change({
            verb: 'create',
            resource: pods,
            object: object('a', 'Pod'),
            reason: 'Test',
            message: 'Written by a test',
          });
        return wait({ ms: 10, reason: 'Again', message: '' });
      },
    });
    await client.create(sets, object('a'));
    await clock.advance(1_000);
    expect(runs).toBe(1);
    sources.hiddenResources.clear();
    await clock.advance(200);
    expect(runs).toBeGreaterThan(1);
  });

  it('reconciles changed objects before a resync of thousands of objects', async () => {
    const { clock, client, run } = bench();
    for (let index = 0; index < 1_000; index += 1) await client.create(sets, object(`old${index}`));
    const seen: string[] = [];
    run({ reconcile: async ({ name }) => (seen.push(name), done()) });
    await client.create(sets, object('fresh'));
    await clock.advance(10);
    expect(seen.indexOf('fresh')).toBeLessThan(3);
    expect(seen).toHaveLength(1_001);
  });

  it('enqueues keys again that a full queue dropped', async () => {
    const { clock, client, run } = bench();
    for (let index = 0; index < 50; index += 1) await client.create(sets, object(`n${index}`));
    const seen = new Set<string>();
    run({ queueDepthMax: 10, reconcile: async ({ name }) => (seen.add(name), done()) });
    await clock.advance(100);
    expect(seen.size).toBe(50);
    for (let index = 0; index < 50; index += 1)
      await client.patch(sets, { namespace: 'ns', name: `n${index}` }, { type: 'merge', patch: { spec: { x: 1 } } });
    seen.clear();
    await clock.advance(100);
    expect(seen.size).toBe(50);
  });

  it('stops gracefully: running reconciles finish, no new ones start', async () => {
    const { clock, client, run } = bench();
    const ended: string[] = [];
    const controller = run({
      async reconcile({ name }, { clock: time }) {
        await new Promise<void>((resolve) => time.setTimer(500, resolve));
        ended.push(name);
        return done();
      },
    });
    await client.create(sets, object('a'));
    await client.create(sets, object('b'));
    await clock.advance(100);
    const stopped = controller.stop(10_000);
    await clock.advance(1_000);
    expect(await stopped).toBe(true);
    expect(ended).toEqual(['a']);
  });

  it('stops without waiting for a reconcile that ignores its signal', async () => {
    const { clock, client, run } = bench();
    let reason: unknown;
    const controller = run({
      reconcile: (_key, { signal }) => {
        signal.addEventListener('abort', () => (reason = signal.reason));
        return new Promise<Outcome>(() => undefined);
      },
    });
    await client.create(sets, object('a'));
    await clock.advance(0);
    const stopped = controller.stop(3_000);
    await clock.advance(3_000);
    expect(await stopped).toBe(false);
    expect(reason).toMatchObject({ message: 'the manager is stopping' });
  });

  it('survives filters and mapping functions that throw', async () => {
    const { clock, client, run } = bench();
    const seen: string[] = [];
    const broken = (): never => {
      throw new StatusError({ code: 500, reason: '', message: 'x' });
    };
    run({
      filter: broken,
      watches: [watch(pods, { map: broken })],
      reconcile: async ({ name }) => (seen.push(name), done()),
    });
    await client.create(pods, object('p', 'Pod'));
    await client.create(sets, object('a'));
    await clock.advance(0);
    expect(seen).toEqual(['a']);
  });
});
