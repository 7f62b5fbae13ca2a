import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormCache } from './form-cache.js';
import { SortedVersions } from './sorted-versions.js';
import { Version } from './version.js';

const cache = new FormCache(1_000, 'object');

function versionOf(name: string, revision: number): Version {
  const key = { resource: 'things', namespace: '', name };
  return Version.ofObject(cache, key, revision, { kind: 'Thing', apiVersion: 'v1', metadata: { name } });
}

function contentOf(sorted: SortedVersions): string[] {
  const versions: Version[] = [];
  sorted.appendTo(versions);
  return versions.map(({ key, revision }) => `${key.name}@${revision}`);
}

describe('sorted versions', () => {
  it('behaves as a sorted map', () => {
    const name = fc.integer({ min: 0, max: 60 }).map((number) => `n${number}`);
    const change = fc.record({ name, remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const sorted = new SortedVersions();
        const model = new Map<string, number>();
        changes.forEach(({ name: changed, remove }, index) => {
          if (remove) sorted.delete(changed);
          else sorted.set(versionOf(changed, index));
          if (remove) model.delete(changed);
          else model.set(changed, index);
          expect(sorted.get(changed)?.revision).toBe(model.get(changed));
        });
        const expected = [...model].sort(([left], [right]) => (left < right ? -1 : 1));
        expect(contentOf(sorted)).toEqual(expected.map(([key, revision]) => `${key}@${revision}`));
        expect(sorted.size).toBe(model.size);
      }),
    );
  });

  it.each([
    { name: 'in order', step: 1 },
    { name: 'in reverse order', step: -1 },
    { name: 'in scattered order', step: 7_919 },
  ])('keeps thousands of names sorted when they are inserted $name', ({ step }) => {
    const count = 5_000;
    const sorted = new SortedVersions();
    const names = Array.from({ length: count }, (_, index) =>
      String(100_000 + ((((index * step) % count) + count) % count)),
    );
    names.forEach((name, index) => sorted.set(versionOf(name, index)));
    expect(contentOf(sorted).map((entry) => entry.split('@')[0])).toEqual(names.toSorted());
    for (const name of names) sorted.delete(name);
    expect(sorted.size).toBe(0);
    sorted.set(versionOf('again', 1));
    expect(contentOf(sorted)).toEqual(['again@1']);
  });
});
