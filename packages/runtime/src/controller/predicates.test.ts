import { describe, expect, it } from 'vitest';
import { generationChanged, resourceVersionChanged } from './index.js';

describe('predicates', () => {
  const at = (metadata: object): { apiVersion: string; kind: string; metadata: object } => ({
    apiVersion: 'v1',
    kind: 'K',
    metadata,
  });
  const update = (next: object, previous: object) =>
    ({ type: 'updated', object: at(next), previous: at(previous), isInitial: false }) as Parameters<
      typeof generationChanged
    >[0];
  it.each([
    {
      name: 'a status write',
      predicate: generationChanged,
      change: update({ generation: 1 }, { generation: 1 }),
      then: false,
    },
    {
      name: 'a new generation',
      predicate: generationChanged,
      change: update({ generation: 2 }, { generation: 1 }),
      then: true,
    },
    {
      name: 'the same version',
      predicate: resourceVersionChanged,
      change: update({ resourceVersion: '1' }, { resourceVersion: '1' }),
      then: false,
    },
    { name: 'a resync', predicate: resourceVersionChanged, change: { ...update({}, {}), isInitial: true }, then: true },
  ])('returns $then for $name', ({ predicate, change, then }) => {
    expect(predicate(change)).toBe(then);
  });
});
