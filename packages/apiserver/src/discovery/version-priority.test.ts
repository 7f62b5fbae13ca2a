import { expect, it } from 'vitest';
import { compareVersions } from './version-priority.js';

it('GA > beta > alpha, higher number first, non-conforming strings last alphabetically', () => {
  const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  const shuffled = [...sorted].reverse();
  expect(shuffled.sort(compareVersions)).toEqual(sorted);
});
