import { expect, it } from 'vitest';
import { SetPace } from './machine-set-scope.js';

it('limits large sets in proportion to their size, and small ones not at all', () => {
  const pace = new SetPace();
  const reconciles: [machines: number, nowMs: number, restMs: number][] = [
    [99, 0, 0],
    [99, 1, 0],
    [200, 10, 0],
    [200, 60, 150],
    [200, 210, 0],
    [5000, 300, 910],
    [5000, 1210, 0],
    [50, 1211, 0],
    [200, 1212, 0],
  ];
  for (const [machines, nowMs, restMs] of reconciles) expect(pace.restMs('uid', machines, nowMs)).toBe(restMs);
  expect(pace.restMs('another', 200, 1213)).toBe(0);
  pace.forget('uid');
  expect(pace.restMs('uid', 200, 1213)).toBe(0);
});
