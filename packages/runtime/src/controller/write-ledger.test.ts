import type { Frozen, KubeObject } from '@slipway/kube';
import { expect, it } from 'vitest';
import type { ObjectKey, Resource } from '../client/index.js';
import type { Source, Sources } from './source.js';
import { WriteLedger } from './write-ledger.js';

const machines: Resource = { group: 'x.io', version: 'v1', kind: 'Machine', plural: 'machines', namespaced: true };
const key = { namespace: 'ns', name: 'm' };
const minuteMs = 60_000;

function machine(resourceVersion: string): Frozen<KubeObject> {
  return { apiVersion: 'x.io/v1', kind: 'Machine', metadata: { ...key, uid: 'u', resourceVersion } };
}

/** Returns a ledger that contains a write of version 7, over a cache at a given version. */
function written(
  cached: Frozen<KubeObject> | undefined,
  seen: string | undefined,
  holds?: Source['holds'],
): WriteLedger {
  const source: Partial<Source> = { get: () => cached, seenVersion: () => seen, ...(holds && { holds }) };
  const sources: Partial<Sources> = { sourceFor: <T extends KubeObject>() => source as unknown as Source<T> };
  const ledger = new WriteLedger(sources as Sources, [{ resource: machines, map: () => [] }]);
  ledger.close('ns/m', [{ resource: machines, key, object: machine('7'), isDeletion: false }], 0);
  return ledger;
}

// Found by the simulation with seed 5, 2 clusters and 20 minutes: a control plane that should have one machine created a third
// one.
it.each([
  { name: 'a minute late', cached: undefined, seen: '6', expected: 'Machine' },
  { name: 'an older state', cached: machine('5'), seen: '6', expected: 'Machine' },
  { name: 'there', cached: machine('7'), seen: '7', expected: undefined },
  { name: 'changed since', cached: machine('12'), seen: undefined, expected: undefined },
  { name: 'deleted since', cached: undefined, seen: '12', expected: undefined },
  { name: 'in a cache with an unknown version', cached: undefined, seen: undefined, expected: undefined },
])('decides whether the cache lags behind a write whose object is $name: $expected', ({ cached, seen, expected }) => {
  expect(written(cached, seen).aheadOf('ns/m', minuteMs)).toBe(expected);
});

// A cache of one namespace receives no events of other namespaces. It reached the version of the write only with the next
// bookmark, a minute later.
it('does not wait for a write that the cache does not cover', () => {
  const holds = ({ namespace }: ObjectKey): boolean => namespace === 'other';
  expect(written(undefined, '6', holds).aheadOf('ns/m', 0)).toBeUndefined();
  expect(written(undefined, '6', () => true).aheadOf('ns/m', 0)).toBe('Machine');
});
