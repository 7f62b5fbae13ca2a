import { expect, it } from 'vitest';
import { decideRestart } from './restart-policy.js';

const minute = 60_000;
const now = 100 * minute;
const ago = (...seconds: number[]): number[] => seconds.map((each) => now - each * 1000);

it.each([
  { name: 'starts a machine that never ran', starts: [], then: { type: 'now' } },
  { name: 'waits one second before the second start', starts: ago(0.4), then: { type: 'later', ms: 600 } },
  { name: 'starts after the wait', starts: ago(1), then: { type: 'now' } },
  { name: 'doubles the wait each time', starts: ago(20, 10, 1), then: { type: 'later', ms: 3000 } },
  {
    name: 'ignores starts of more than ten minutes ago',
    starts: ago(3000, 2900, 2800, 2700, 2600, 2500),
    then: { type: 'now' },
  },
  {
    name: 'does not restart a machine that keeps failing',
    starts: ago(500, 400, 300, 200, 100, 1),
    then: { type: 'never', starts: 6 },
  },
])('$name', ({ starts, then }) => {
  expect(decideRestart(starts, now)).toEqual(then);
});
