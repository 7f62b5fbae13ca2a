import { expect, it } from 'vitest';
import { humanAge, humanDuration } from './human-duration.js';

const minute = 60;
const hour = 3_600;
const day = 86_400;

it.each([
  [-3, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [5 * minute + 3, '5m3s'],
  [10 * minute + 3, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 5 * minute, '7h5m'],
  [47 * hour, '47h'],
  [3 * day + 4 * hour, '3d4h'],
  [8 * day, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [731 * day, '2y1d'],
  [365 * 8 * day + day, '8y'],
])('%s seconds are %s', (seconds, text) => {
  expect(humanDuration(seconds * 1_000)).toBe(text);
});

it('`<unknown>` if absent, `<invalid>` if future >2 s', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(humanAge(undefined, now)).toBe('<unknown>');
  expect(humanAge('2026-01-01T00:00:03Z', now)).toBe('<invalid>');
  expect(humanAge('soon', now)).toBe('<invalid>');
  expect(humanAge('2025-12-31T23:55:00Z', now)).toBe('5m');
});
