import { expect, it } from 'vitest';
import { decideRestart } from './restart-policy.js';

const minute = 60_000;
const now = 100 * minute;
const ago = (...seconds: number[]): number[] => seconds.map((each) => now - each * 1000);

it.each([
  { name: 'one that never ran starts', starts: [], then: { type: 'now' } },
  { name: 'a second start waits a second', starts: ago(0.4), then: { type: 'later', ms: 600 } },
  { name: 'and then starts', starts: ago(1), then: { type: 'now' } },
  { name: 'waits double each time', starts: ago(20, 10, 1), then: { type: 'later', ms: 3000 } },
  { name: 'forgets what was long ago', starts: ago(3000, 2900, 2800, 2700, 2600, 2500), then: { type: 'now' } },
  {
    name: 'leaves a machine alone that does not stay',
    starts: ago(500, 400, 300, 200, 100, 1),
    then: { type: 'never', starts: 6 },
  },
])('$name', ({ starts, then }) => {
  expect(decideRestart(starts, now)).toEqual(then);
});
