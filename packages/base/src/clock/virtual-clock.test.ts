import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.js';

describe('virtual time', () => {
  it('fires timers by deadline, then by creation, and never a cancelled one', async () => {
    const delays = fc.array(fc.record({ ms: fc.integer({ min: 0, max: 20 }), cancelled: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(delays, async (requested) => {
        const clock = new VirtualClock();
        const fired: number[] = [];
        const timers = requested.map(({ ms }, index) => clock.setTimer(ms, () => fired.push(index)));
        requested.forEach(({ cancelled }, index) => cancelled && timers[index]?.cancel());
        await clock.advance(20);
        const expected = requested
          .map(({ ms, cancelled }, index) => ({ ms, cancelled, index }))
          .filter(({ cancelled }) => !cancelled)
          .sort((left, right) => left.ms - right.ms || left.index - right.index);
        expect(fired).toEqual(expected.map(({ index }) => index));
        expect(clock.nextTimerMs()).toBeUndefined();
      }),
    );
  });

  it('lets promises settle between timers', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    clock.setTimer(1, () => void Promise.resolve().then(() => seen.push(`after ${clock.monotonic()}`)));
    clock.setTimer(2, () => seen.push(`at ${clock.monotonic()}`));
    await clock.advance(2);
    expect(seen).toEqual(['after 1', 'at 2']);
  });

  it('advances by whole milliseconds, so that repeated waits for a remainder end', async () => {
    const clock = new VirtualClock();
    const fired: number[] = [];
    clock.setTimer(0.1, () => fired.push(clock.monotonic()));
    clock.setTimer(1e-12, () => clock.setTimer(1e-12, () => fired.push(clock.monotonic())));
    await clock.advance(3);
    expect(fired).toEqual([1, 2]);
  });

  it('moves the wall clock without moving timers', async () => {
    const clock = new VirtualClock(0);
    clock.setTimer(10, () => undefined);
    clock.jump(-5_000);
    expect([clock.now(), clock.monotonic(), clock.nextTimerMs()]).toEqual([-5_000, 0, 10]);
  });
});
