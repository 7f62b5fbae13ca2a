import { seededRandom, VirtualClock } from '@slipway/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs } from './back-off.js';
import { priorityFresh, priorityResync, WorkQueue } from './work-queue.js';

function open(options: { depthMax?: number } = {}): { clock: VirtualClock; queue: WorkQueue } {
  const clock = new VirtualClock();
  return { clock, queue: new WorkQueue({ clock, random: seededRandom(1), ...options }) };
}

function drain(queue: WorkQueue): string[] {
  const keys: string[] = [];
  for (let key = queue.take(); key !== undefined; key = queue.take()) {
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe('WorkQueue', () => {
  it('contains a key once, however often it is added', () => {
    const { queue } = open();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect(drain(queue)).toEqual(['a', 'b']);
  });

  it('does not return a key that is being processed, and returns it again if it was added meanwhile', () => {
    const { queue } = open();
    queue.add('a');
    expect(queue.take()).toBe('a');
    queue.add('a');
    expect(queue.take()).toBeUndefined();
    queue.done('a');
    expect(queue.take()).toBe('a');
    queue.done('a');
    expect(queue.take()).toBeUndefined();
  });

  it('returns changed keys before those of a resync, and raises the priority of a key in the resync', () => {
    const { queue } = open();
    for (const key of ['old1', 'old2', 'old3']) queue.add(key, { priority: priorityResync });
    queue.add('new', { priority: priorityFresh });
    queue.add('old3', { priority: priorityFresh });
    expect(drain(queue)).toEqual(['new', 'old3', 'old1', 'old2']);
  });

  it('serves the lowest priority with one in eight takes', () => {
    const { queue } = open();
    queue.add('patient', { priority: priorityResync });
    const order: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      queue.add(`flood${index}`);
      const key = queue.take() as string;
      queue.done(key);
      order.push(key);
    }
    expect(order).toContain('patient');
  });

  it('delays keys, and prefers the earlier of two times', async () => {
    const { clock, queue } = open();
    const ready: number[] = [];
    queue.listen({ onReady: () => ready.push(clock.monotonic()) });
    queue.add('a', { afterMs: 5_000 });
    queue.add('a', { afterMs: 1_000 });
    queue.add('a', { afterMs: 9_000 });
    await clock.advance(999);
    expect(queue.take()).toBeUndefined();
    await clock.advance(1);
    expect(drain(queue)).toEqual(['a']);
    await clock.advance(20_000);
    expect(ready).toEqual([1_000]);
  });

  it('doubles the back-off up to its maximum and resets it after forget', async () => {
    const { clock, queue } = open();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 20; attempt += 1) {
      delays.push(queue.addRateLimited('a'));
      await clock.advance(60_000);
      queue.done(queue.take() as string);
    }
    for (const [index, delay] of delays.entries()) {
      const full = Math.min(5 * 2 ** index, 60_000);
      expect(delay).toBeLessThanOrEqual(full);
      expect(delay).toBeGreaterThanOrEqual(full * 0.8);
    }
    queue.forget('a');
    expect(queue.addRateLimited('a')).toBeLessThanOrEqual(5);
  });

  it('limits its size, and reports when there is room after keys were dropped', () => {
    const { queue } = open({ depthMax: 4 });
    let drained = 0;
    queue.listen({ onReady: () => undefined, onDrained: () => (drained += 1) });
    const accepted = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => queue.add(key));
    expect(accepted).toEqual([true, true, true, true, false, false]);
    expect(drained).toBe(0);
    expect(drain(queue)).toEqual(['a', 'b', 'c', 'd']);
    expect(drained).toBe(1);
  });

  it('drops waiting keys on close, lets keys being processed finish, and accepts no new ones', async () => {
    const { clock, queue } = open();
    queue.add('running');
    queue.take();
    queue.add('waiting');
    queue.add('later', { afterMs: 10 });
    queue.add('running');
    queue.close();
    expect(queue.add('more')).toBe(false);
    queue.done('running');
    await clock.advance(100);
    expect(queue.take()).toBeUndefined();
    expect(clock.nextTimerMs()).toBeUndefined();
  });

  it('lists its contents', () => {
    const { queue } = open();
    queue.add('a');
    queue.take();
    queue.add('b');
    queue.add('c', { afterMs: 7, priority: priorityResync });
    expect(queue.snapshot()).toEqual([
      { key: 'a', state: 'processing', priority: 0, failures: 0, forMs: 0 },
      { key: 'b', state: 'ready', priority: 0, failures: 0, forMs: 0 },
      { key: 'c', state: 'delayed', priority: -100, failures: 0, forMs: 0, readyInMs: 7 },
    ]);
  });

  it('loses no key and processes none concurrently, in any order of operations', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), key, afterMs: fc.nat(50), low: fc.boolean() }),
      fc.record({ do: fc.constant('take' as const) }),
      fc.record({ do: fc.constant('done' as const), key }),
      fc.record({ do: fc.constant('retry' as const), key }),
      fc.record({ do: fc.constant('advance' as const), ms: fc.nat(40) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, queue } = open();
        const pending = new Set<string>();
        const running = new Set<string>();
        const twice: string[] = [];
        for (const item of steps) {
          if (item.do === 'add') {
            queue.add(item.key, { afterMs: item.afterMs, priority: item.low ? priorityResync : priorityFresh });
            pending.add(item.key);
          } else if (item.do === 'retry') {
            queue.addRateLimited(item.key);
            pending.add(item.key);
          } else if (item.do === 'take') {
            const taken = queue.take();
            if (taken === undefined) continue;
            if (running.has(taken)) twice.push(taken);
            running.add(taken);
            pending.delete(taken);
          } else if (item.do === 'done') {
            queue.done(item.key);
            running.delete(item.key);
          } else await clock.advance(item.ms);
        }
        for (const left of running) queue.done(left);
        await clock.advance(120_000);
        for (const left of drain(queue)) pending.delete(left);
        expect([[...pending], twice]).toEqual([[], []]);
      }),
      { numRuns: 200 },
    );
  });
});

it('has a finite back-off after a thousand failures', () => {
  expect(backOffMs(1_000, { firstMs: 5, lastMs: 60_000, jitter: 0 }, seededRandom(1))).toBe(60_000);
});
