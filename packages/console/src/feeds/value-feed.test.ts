import { VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { ValueFeed } from './value-feed.js';

describe('ValueFeed', () => {
  it('sends the complete value first, then collected changes', async () => {
    const clock = new VirtualClock();
    const feed = new ValueFeed<{ a: number; b?: number }>(clock);
    const frames: unknown[] = [];
    feed.open((frame) => frames.push(JSON.parse(frame)));
    feed.set({ a: 1, b: 1 });
    await clock.advance(100);
    feed.set({ a: 2, b: 1 });
    feed.set({ a: 3 });
    await clock.advance(100);
    feed.set({ a: 3 });
    await clock.advance(100);
    expect(frames).toEqual([{ whole: { a: 1, b: 1 } }, { patch: { a: 3, b: null } }]);
  });

  it('sends a new subscriber the complete value and no patch that it already contains', async () => {
    const clock = new VirtualClock();
    const feed = new ValueFeed<{ a: number }>(clock);
    feed.set({ a: 1 });
    await clock.advance(100);
    const frames: unknown[] = [];
    feed.set({ a: 2 });
    feed.open((frame) => frames.push(JSON.parse(frame)));
    await clock.advance(100);
    expect(frames).toEqual([{ whole: { a: 2 } }]);
  });

  it('reports a lost connection and a deleted object, and sends the complete value afterwards', async () => {
    const clock = new VirtualClock();
    const feed = new ValueFeed<{ a: number }>(clock);
    const frames: unknown[] = [];
    feed.open((frame) => frames.push(JSON.parse(frame)));
    feed.set({ a: 1 });
    await clock.advance(100);
    feed.lose('no answer');
    await clock.advance(100);
    feed.set({ a: 1 });
    await clock.advance(100);
    feed.end('it is gone');
    await clock.advance(100);
    expect(frames).toEqual([{ whole: { a: 1 } }, { lost: 'no answer' }, { whole: { a: 1 } }, { gone: 'it is gone' }]);
  });

  it('sends nothing to a subscriber that has unsubscribed', async () => {
    const clock = new VirtualClock();
    const feed = new ValueFeed<{ a: number }>(clock);
    const frames: string[] = [];
    feed.open((frame) => frames.push(frame)).dispose();
    feed.set({ a: 1 });
    await clock.advance(100);
    expect(frames).toEqual([]);
    expect(feed.subscriberCount).toBe(0);
  });
});
