import { describe, expect, it } from 'vitest';
import { planPool, type PoolMember } from './pool-plan.js';

/** `a`: ready and up to date, `a?`: not ready yet, `a-`: outdated, `a!`: deleting. */
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
    { name: 'fills up at once', given: '', replicas: 3, then: { create: 3, delete: [] } },
    { name: 'has what it wants', given: 'a b', replicas: 2, then: { create: 0, delete: [] } },
    { name: 'replaces what goes', given: 'a b!', replicas: 2, then: { create: 1, delete: [] } },
    { name: 'shrinks by name', given: 'b a c', replicas: 1, then: { create: 0, delete: ['a', 'b'] } },
    { name: 'gives up what is not ready first', given: 'a b?', replicas: 1, then: { create: 0, delete: ['b'] } },
    { name: 'goes to nothing', given: 'a b-', replicas: 0, then: { create: 0, delete: ['a', 'b'] } },
    { name: 'makes one more to replace old ones', given: 'a- b-', replicas: 2, then: { create: 1, delete: [] } },
    { name: 'waits for the new one', given: 'a- b- c?', replicas: 2, then: { create: 0, delete: [] } },
    { name: 'lets an old one go for a ready one', given: 'a- b- c', replicas: 2, then: { create: 0, delete: ['a'] } },
    { name: 'goes on with the next', given: 'b- c', replicas: 2, then: { create: 1, delete: [] } },
    { name: 'ends the replacement', given: 'b- c d', replicas: 2, then: { create: 0, delete: ['b'] } },
  ])('$name', ({ given, replicas, then }) => {
    expect(planPool(members(given), replicas)).toEqual(then);
  });
});
