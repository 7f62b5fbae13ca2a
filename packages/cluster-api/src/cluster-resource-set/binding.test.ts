import { describe, expect, it } from 'vitest';
import { needsApply, resourceEntry, type ResourceEntry, withoutSet, withResults } from './binding.js';

const reference = { kind: 'ConfigMap', name: 'm' } as const;
const entry = (applied: boolean, hash: string): ResourceEntry => ({ ...reference, applied, hash });

describe('needsApply', () => {
  it.each([
    ['ApplyOnce', undefined, true],
    ['ApplyOnce', entry(false, 'h'), true],
    ['ApplyOnce', entry(true, 'old'), false],
    ['Reconcile', undefined, true],
    ['Reconcile', entry(false, 'h'), true],
    ['Reconcile', entry(true, 'old'), true],
    ['Reconcile', entry(true, 'h'), false],
  ] as const)('%s after %o: %s', (strategy, known, then) => {
    expect(needsApply(strategy, known, 'h')).toBe(then);
  });
});

describe('entries of a binding', () => {
  const other = { clusterResourceSetName: 'other', resources: [entry(true, 'o')] };
  const now = resourceEntry(reference, { applied: true, hash: 'h', nowMs: 0 });

  it('records the time and the hash of the applied resource', () => {
    expect(now).toEqual({ ...reference, applied: true, hash: 'h', lastAppliedTime: '1970-01-01T00:00:00Z' });
    expect(resourceEntry(reference, { applied: false, nowMs: 0 })).not.toHaveProperty('hash');
  });

  it('adds a set, replaces its results, and keeps those of other sets', () => {
    const first = withResults([other], 'mine', [now]);
    expect(first).toEqual([other, { clusterResourceSetName: 'mine', resources: [now] }]);
    const later = { ...now, hash: 'h2' };
    const second = { ...now, kind: 'Secret' } as const;
    expect(withResults(first, 'mine', [later, second])[1]).toEqual({
      clusterResourceSetName: 'mine',
      resources: [later, second],
    });
    expect(withoutSet(first, 'mine')).toEqual([other]);
  });
});
