import { VirtualClock } from '@slipway/base';
import { formatIp, type Frozen } from '@slipway/kube';
import { keyText, type ObjectKey, type Source } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { IPAddress } from '../api/index.js';
import { addressSet, readRange } from './address-set.js';
import { Reservations } from './reservations.js';

const range = readRange('10.0.0.1-10.0.0.3') as NonNullable<ReturnType<typeof readRange>>;
const set = addressSet('IPv4', [range]);
const key = (name: string): ObjectKey => ({ namespace: 'n', name });
const stored = (name: string, address: string): Frozen<IPAddress> => ({
  apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
  kind: 'IPAddress',
  metadata: { name, namespace: 'n' },
  spec: { address, prefix: 24, claimRef: { name }, poolRef: { apiGroup: 'g', kind: 'k', name: 'p' } },
});

/** Returns a cache with the given content. */
function cacheOf(objects: Map<string, Frozen<IPAddress>>): Source<IPAddress> {
  return {
    get: (at) => objects.get(keyText(at)),
    list: () => objects.values(),
    byIndex: () => [...objects.values()],
    subscribe: () => ({ dispose: () => undefined }),
  };
}

describe('Reservations', () => {
  const clock = new VirtualClock();
  const choose = (reservations: Reservations, cache: Source<IPAddress>, name: string): string | undefined => {
    const chosen = reservations.choose('p', set, cache, key(name));
    return chosen && formatIp(chosen);
  };

  it('never return an address twice while the cache lags', () => {
    const reservations = new Reservations(clock);
    const cache = cacheOf(new Map());
    expect(['a', 'b', 'c', 'd'].map((name) => choose(reservations, cache, name))).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.3',
      undefined,
    ]);
    reservations.release('p', key('b'));
    expect(choose(reservations, cache, 'd')).toBe('10.0.0.2');
  });

  it('end when the cache contains the address, or after a minute', async () => {
    const reservations = new Reservations(clock);
    const objects = new Map<string, Frozen<IPAddress>>();
    expect(choose(reservations, cacheOf(objects), 'a')).toBe('10.0.0.1');
    objects.set('n/a', stored('a', '10.0.0.1'));
    expect(choose(reservations, cacheOf(objects), 'b')).toBe('10.0.0.2');
    objects.delete('n/a');
    expect(choose(reservations, cacheOf(objects), 'c')).toBe('10.0.0.1');
    await clock.advance(61_000);
    expect(choose(reservations, cacheOf(objects), 'd')).toBe('10.0.0.1');
  });
});
