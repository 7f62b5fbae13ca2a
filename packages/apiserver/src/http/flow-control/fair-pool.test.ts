import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { FairPool } from './fair-pool.js';

const never = (): AbortSignal => new AbortController().signal;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('FairPool', () => {
  it('gives a free seat to the waiting flow with the fewest seats, not to the longest queue', async () => {
    const pool = new FairPool({ seats: 2, seatsPerFlow: 2, queuePerFlow: 100 });
    const held = [pool.tryTake('greedy'), pool.tryTake('greedy')];
    const order: string[] = [];
    for (let index = 0; index < 50; index += 1) void pool.wait('greedy', never()).then(() => order.push('greedy'));
    void pool.wait('modest', never()).then(() => order.push('modest'));
    held[0]?.();
    await settled();
    expect(order).toEqual(['modest']);
  });

  it('does not give all seats to one flow', () => {
    const pool = new FairPool({ seats: 4, seatsPerFlow: 1, queuePerFlow: 10 });
    expect(pool.tryTake('a')).toBeDefined();
    expect(pool.tryTake('a')).toBeUndefined();
    expect(pool.tryTake('b')).toBeDefined();
  });

  it('rejects with 429 when the queue of the flow is full, and only then', async () => {
    const pool = new FairPool({ seats: 1, seatsPerFlow: 1, queuePerFlow: 1 });
    const release = pool.tryTake('a');
    const waiting = pool.wait('a', never());
    expect(() => pool.wait('a', never())).toThrow(/Too many requests/);
    const other = pool.wait('b', never());
    release?.();
    (await waiting)();
    await other;
  });

  it('forgets a request whose client disconnects while it waits', async () => {
    const pool = new FairPool({ seats: 1, seatsPerFlow: 1, queuePerFlow: 1 });
    const release = pool.tryTake('a');
    const disconnect = new AbortController();
    const waiting = pool.wait('a', disconnect.signal);
    disconnect.abort(new Error('disconnected'));
    await expect(waiting).rejects.toThrow('disconnected');
    release?.();
    expect(pool.tryTake('b')).toBeDefined();
  });

  it('releases a seat once, however often it is returned', () => {
    const pool = new FairPool({ seats: 1, seatsPerFlow: 1, queuePerFlow: 1 });
    const release = pool.tryTake('a');
    release?.();
    release?.();
    expect(pool.tryTake('a')).toBeDefined();
    expect(pool.tryTake('b')).toBeUndefined();
  });
});

describe('BodyBudget', () => {
  it('rejects further bytes of a flow that used up its budget; other flows are not affected', () => {
    const budget = new BodyBudget({ bytes: 10_000_000, bytesPerFlow: 1_000_000 });
    const first = budget.open('a');
    first.add(900_000);
    expect(() => budget.open('a').add(900_000)).toThrow(/Too many requests/);
    budget.open('b').add(900_000);
    first.release();
    budget.open('a').add(900_000);
  });
});
