import { VirtualClock } from '@slipway/base';
import { expect, it } from 'vitest';
import { Deadlines } from './deadlines.js';

it('expires each reconcile at its own deadline, and none that has ended', async () => {
  const clock = new VirtualClock();
  const deadlines = new Deadlines(clock, 1_000);
  const expired: string[] = [];
  const begin = (name: string) => deadlines.begin(() => void expired.push(`${name} ${clock.monotonic()}`));
  const first = begin('first');
  await clock.advance(300);
  begin('second');
  deadlines.end(first);
  await clock.advance(300);
  begin('third');
  await clock.advance(10_000);
  expect(expired).toEqual(['second 1300', 'third 1600']);
  begin('fourth');
  await clock.advance(1_000);
  expect(expired.at(-1)).toBe('fourth 11600');
  expect(clock.nextTimerMs()).toBeUndefined();
});
