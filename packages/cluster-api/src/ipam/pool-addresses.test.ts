import { formatIp, tryParseIp } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { countPool, poolAddresses, type PoolSpec } from './pool-addresses.js';

function show(spec: PoolSpec): readonly string[] {
  const addresses = poolAddresses(spec);
  if ('problem' in addresses) return [addresses.problem];
  const { family, ranges } = addresses.set;
  return ranges.map(({ first, last }) => `${formatIp({ family, value: first })}-${formatIp({ family, value: last })}`);
}

describe('the allocatable addresses of a pool', () => {
  const rows: { name: string; spec: PoolSpec; then: string[] }[] = [
    {
      name: 'excludes network, broadcast and gateway addresses of a block',
      spec: { addresses: ['10.0.0.0/29'], prefix: 29, gateway: '10.0.0.3' },
      then: ['10.0.0.1-10.0.0.2', '10.0.0.4-10.0.0.6'],
    },
    {
      name: 'excludes only the gateway when reserved addresses are allowed',
      spec: { addresses: ['10.0.0.0/30'], prefix: 30, gateway: '10.0.0.1', allocateReservedIPAddresses: true },
      then: ['10.0.0.0-10.0.0.0', '10.0.0.2-10.0.0.3'],
    },
    {
      name: 'excludes nothing of a range inside a network',
      spec: { addresses: ['10.0.0.10-10.0.0.12', '10.0.0.20'], prefix: 24 },
      then: ['10.0.0.10-10.0.0.12', '10.0.0.20-10.0.0.20'],
    },
    {
      name: 'excludes excludedAddresses',
      spec: { addresses: ['10.0.0.10-10.0.0.19'], prefix: 24, excludedAddresses: ['10.0.0.12-10.0.0.15', '10.0.0.18'] },
      then: ['10.0.0.10-10.0.0.11', '10.0.0.16-10.0.0.17', '10.0.0.19-10.0.0.19'],
    },
    {
      name: 'excludes the anycast address of routers but not the last address with IPv6',
      spec: { addresses: ['fd00::/126'], prefix: 126 },
      then: ['fd00::1-fd00::3'],
    },
    {
      name: 'ignores an empty gateway',
      spec: { addresses: ['10.0.0.1'], prefix: 24, gateway: '' },
      then: ['10.0.0.1-10.0.0.1'],
    },
    { name: 'nothing', spec: { addresses: [], prefix: 24 }, then: ['spec.addresses is empty'] },
    {
      name: 'reports an invalid entry by its index',
      spec: { addresses: ['10.0.0.1', '10.0.0'], prefix: 24 },
      then: ['spec.addresses[1] is not an address, range or CIDR block of one address family'],
    },
    {
      name: 'reports two address families',
      spec: { addresses: ['10.0.0.1', 'fd00::1'], prefix: 24 },
      then: ['spec.addresses[1] is not an address, range or CIDR block of one address family'],
    },
  ];
  it.each(rows)('$name', ({ spec, then }) => {
    expect(show(spec)).toEqual(then);
  });
});

describe('counts', () => {
  const setOf = (spec: PoolSpec): Parameters<typeof countPool>[0] => {
    const addresses = poolAddresses(spec);
    if ('problem' in addresses) throw new Error(addresses.problem);
    return addresses.set;
  };

  it('counts used, free and out-of-range addresses', () => {
    const set = setOf({ addresses: ['10.0.0.10-10.0.0.19'], prefix: 24 });
    expect(countPool(set, ['10.0.0.10', '10.0.0.11', '10.0.0.99'].map(tryParseIp))).toEqual({
      total: 10,
      used: 3,
      free: 8,
      outOfRange: 1,
    });
  });

  it('stops at the largest safe JSON number', () => {
    const set = setOf({ addresses: ['fd00::/64'], prefix: 64 });
    const most = Number.MAX_SAFE_INTEGER;
    expect(countPool(set, [tryParseIp('fd00::1')])).toEqual({ total: most, used: 1, free: most, outOfRange: 0 });
  });
});
