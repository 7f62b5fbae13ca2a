import { describe, expect, it } from 'vitest';
import { planPool, type PoolMember } from './pool-plan.js';

/** Parses members: `a` is ready and up to date, `a?` is not ready yet, `a-` is outdated, `a!` is deleting. */
function members(text: string): PoolMember[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({
      name: word.replace(/[?!-]/g, ''),
      isReady: !word.includes('?'),
      isUpToDate: !word.includes('-'),
      isDeleting: word.includes('!'),
    }));
}

describe('a pool of simulated machines', () => {
  it.each([
    { name: 'creates all replicas together', given: '', replicas: 3, then: { create: 3, delete: [] } },
    { name: 'does nothing if all replicas exist', given: 'a b', replicas: 2, then: { create: 0, delete: [] } },
    { name: 'replaces a deleting machine', given: 'a b!', replicas: 2, then: { create: 1, delete: [] } },
    { name: 'scales down by name', given: 'b a c', replicas: 1, then: { create: 0, delete: ['a', 'b'] } },
    {
      name: 'deletes machines that are not ready first',
      given: 'a b?',
      replicas: 1,
      then: { create: 0, delete: ['b'] },
    },
    { name: 'scales to zero', given: 'a b-', replicas: 0, then: { create: 0, delete: ['a', 'b'] } },
    {
      name: 'surges by one to replace outdated machines',
      given: 'a- b-',
      replicas: 2,
      then: { create: 1, delete: [] },
    },
    { name: 'waits for the new machine', given: 'a- b- c?', replicas: 2, then: { create: 0, delete: [] } },
    {
      name: 'deletes an outdated machine once another is ready',
      given: 'a- b- c',
      replicas: 2,
      then: { create: 0, delete: ['a'] },
    },
    { name: 'continues with the next machine', given: 'b- c', replicas: 2, then: { create: 1, delete: [] } },
    { name: 'completes the replacement', given: 'b- c d', replicas: 2, then: { create: 0, delete: ['b'] } },
  ])('$name', ({ given, replicas, then }) => {
    expect(planPool(members(given), replicas)).toEqual(then);
  });
});
