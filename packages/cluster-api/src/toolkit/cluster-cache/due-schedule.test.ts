import { VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { DueSchedule } from './due-schedule.js';

describe('DueSchedule', () => {
  it('fires in order, and never early', async () => {
    const clock = new VirtualClock();
    const schedule = new DueSchedule(clock);
    const start = clock.monotonic();
    const acted: number[] = [];
    for (const ms of [9_700, 20, 0, 5_100, 4_999])
      schedule.after(ms, () => {
        expect(clock.monotonic() - start).toBeGreaterThanOrEqual(ms);
        acted.push(ms);
      });
    schedule.after(3_000, () => acted.push(-1)).cancel();
    await clock.advance(10_500);
    expect(acted).toEqual([0, 20, 4_999, 5_100, 9_700]);
  });

  it('wakes up rarely for a thousand distant deadlines', async () => {
    const clock = new VirtualClock();
    const schedule = new DueSchedule(clock);
    const wokenAt = new Set<number>();
    let acted = 0;
    for (let index = 0; index < 1_000; index += 1)
      schedule.after(9_500 + index, () => {
        acted += 1;
        wokenAt.add(clock.monotonic());
      });
    await clock.advance(12_000);
    expect(acted).toBe(1_000);
    expect(wokenAt.size).toBeLessThanOrEqual(11);
  });
});
