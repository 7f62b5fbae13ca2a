import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  belowNode,
  difference,
  equalSets,
  type FieldSet,
  fieldSetOf,
  forEachMember,
  hasMember,
  intersection,
  isEmptySet,
  leaves,
  recursiveDifference,
  union,
} from './field-set.js';

const keys = ['f:a', 'f:b', 'f:__proto__', 'f:constructor', 'k:{"name":"x"}', 'v:1', 'v:"1"', 'i:0'];
const paths = fc.uniqueArray(fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 4 }), {
  maxLength: 12,
  selector: (path) => path.join('|'),
});
const sets = paths.map((all) => fieldSetOf(...all));

function membersOf(set: FieldSet): Set<string> {
  const members = new Set<string>();
  forEachMember(set, (path) => members.add(path.join('|')));
  return members;
}

describe('field sets', () => {
  it('contains exactly the paths that a set is built from', () => {
    fc.assert(
      fc.property(paths, (all) => {
        const set = fieldSetOf(...all);
        expect(membersOf(set)).toEqual(new Set(all.map((path) => path.join('|'))));
        for (const path of all) expect(hasMember(set, path)).toBe(true);
      }),
    );
  });

  it('agrees with sets of paths on union, intersection and difference', () => {
    fc.assert(
      fc.property(sets, sets, (left, right) => {
        const [ours, theirs] = [membersOf(left), membersOf(right)];
        expect(membersOf(union(left, right))).toEqual(new Set([...ours, ...theirs]));
        expect(membersOf(intersection(left, right))).toEqual(new Set([...ours].filter((path) => theirs.has(path))));
        expect(membersOf(difference(left, right))).toEqual(new Set([...ours].filter((path) => !theirs.has(path))));
      }),
    );
  });

  it('satisfies the laws of set algebra in one canonical form', () => {
    fc.assert(
      fc.property(sets, sets, sets, (a, b, c) => {
        expect(union(a, b)).toEqual(union(b, a));
        expect(union(a, union(b, c))).toEqual(union(union(a, b), c));
        expect(intersection(a, union(b, c))).toEqual(union(intersection(a, b), intersection(a, c)));
        expect(difference(a, union(b, c))).toEqual(difference(difference(a, b), c));
        expect(union(difference(a, b), intersection(a, b))).toEqual(a);
        expect(isEmptySet(difference(a, a))).toBe(true);
        expect(equalSets(union(a, a), a)).toBe(true);
      }),
    );
  });

  it('subtracts everything below a member recursively', () => {
    fc.assert(
      fc.property(sets, sets, (left, right) => {
        const roots = [...membersOf(right)];
        const expected = [...membersOf(left)].filter(
          (path) => !roots.some((root) => path === root || path.startsWith(`${root}|`)),
        );
        expect(membersOf(recursiveDifference(left, right))).toEqual(new Set(expected));
      }),
    );
  });

  it('returns the members without members below as leaves', () => {
    fc.assert(
      fc.property(sets, (set) => {
        const all = [...membersOf(set)];
        const expected = all.filter((path) => !all.some((other) => other.startsWith(`${path}|`)));
        expect(membersOf(leaves(set))).toEqual(new Set(expected));
      }),
    );
  });

  it('shares subtrees that an operation does not change', () => {
    const set = fieldSetOf(['f:a', 'f:x'], ['f:b', 'f:y']);
    expect(union(set, fieldSetOf(['f:a', 'f:x']))).toBe(set);
    expect(difference(set, fieldSetOf(['f:c']))).toBe(set);
    expect(difference(set, fieldSetOf(['f:a', 'f:x']))['f:b']).toBe(set['f:b']);
  });

  it('descends by prefix', () => {
    const set = fieldSetOf(['f:a'], ['f:a', 'f:x']);
    expect(belowNode(set['f:a'])).toEqual({ 'f:x': {} });
    expect(belowNode(set['f:b'])).toEqual({});
  });
});
