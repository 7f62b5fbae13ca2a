import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coreResources } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { EventExpiry } from './event-expiry.js';

const hourMs = 3_600_000;
let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  await plane.namespace('x');
});

afterEach(() => plane.dispose());

async function event(name: string): Promise<void> {
  const involvedObject = { kind: 'Pod', namespace: 'x', name: 'p' };
  const metadata = { name, namespace: 'x' };
  await plane.client.create({ apiVersion: 'v1', kind: 'Event', metadata, involvedObject, type: 'Normal', reason: 'R' });
}

describe('expiry of events', () => {
  it('keeps events for an hour', async () => {
    plane.run(new EventExpiry(plane)).start();
    await event('one');
    await plane.advance(hourMs / 2);
    await event('two');
    await plane.advance(hourMs / 2 - 1000);
    expect(plane.names('events')).toEqual(['one', 'two']);
    await plane.advance(2000);
    expect(plane.names('events')).toEqual(['two']);
    await plane.advance(hourMs / 2);
    expect(plane.names('events')).toEqual([]);
  });

  it('deletes events an hour after their last update', async () => {
    plane.run(new EventExpiry(plane)).start();
    await event('one');
    await plane.advance(hourMs - 10_000);
    await plane.client.patch(coreResources.events, 'x', 'one', { count: 2 });
    await plane.advance(20_000);
    expect(plane.names('events')).toEqual(['one']);
    await plane.advance(hourMs);
    expect(plane.names('events')).toEqual([]);
  });

  it('deletes events that existed at start when they expire', async () => {
    await event('one');
    await plane.advance(hourMs - 10_000);
    plane.run(new EventExpiry(plane)).start();
    await plane.advance(12_000);
    expect(plane.names('events')).toEqual([]);
  });

  it('uses one timer for all events', async () => {
    plane.run(new EventExpiry(plane)).start();
    let timers = 0;
    const setTimer = plane.clock.setTimer.bind(plane.clock);
    plane.clock.setTimer = (ms, callback) => {
      timers += 1;
      return setTimer(ms, callback);
    };
    for (let index = 0; index < 250; index += 1) await event(`e${index}`);
    expect(timers).toBe(1);
    await plane.advance(hourMs + 5000);
    expect(plane.names('events')).toEqual([]);
  });
});
