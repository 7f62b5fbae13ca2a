import { VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { NameMemory } from './name-memory.js';

function lookUp(memory: NameMemory): {
  readonly recall: (key?: string) => Promise<number>;
  readonly count: () => number;
} {
  let count = 0;
  return {
    recall: (key = 'pool') => memory.recall(key, () => Promise.resolve((count += 1))),
    count: () => count,
  };
}

describe('cached lookups', () => {
  it('call vCenter once for each name', async () => {
    const { recall, count } = lookUp(new NameMemory(new VirtualClock()));
    expect([await recall(), await recall(), await recall('network')]).toEqual([1, 1, 2]);
    expect(count()).toBe(2);
  });

  it('expire after a while, and immediately when the cache is cleared', async () => {
    const clock = new VirtualClock();
    const memory = new NameMemory(clock);
    const { recall } = lookUp(memory);
    await recall();
    await clock.advance(10_000);
    expect(await recall()).toBe(2);
    memory.forget();
    expect(await recall()).toBe(3);
  });

  it('ignore results of lookups that started before the cache was cleared', async () => {
    const memory = new NameMemory(new VirtualClock());
    let answer = (_value: string): void => {};
    const slow = memory.recall('pool', () => new Promise<string>((resolve) => (answer = resolve)));
    memory.forget();
    answer('old');
    expect(await slow).toBe('old');
    expect(await memory.recall('pool', () => Promise.resolve('new'))).toBe('new');
  });

  it('do not cache failures', async () => {
    const memory = new NameMemory(new VirtualClock());
    await expect(memory.recall('pool', () => Promise.reject(new Error('not found')))).rejects.toThrow('not found');
    expect(await memory.recall('pool', () => Promise.resolve('found'))).toBe('found');
  });
});
