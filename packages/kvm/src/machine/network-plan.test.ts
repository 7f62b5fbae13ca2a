import { describe, expect, it } from 'vitest';
import { macAddressOf, segmentOf } from './network-plan.js';

const uuid = '1d3c7a52-0000-4000-8000-000000000001';

describe('the network of machines', () => {
  it('derives a MAC address from the machine and its interface, so that it is the same in every boot [kvm 14]', () => {
    expect(macAddressOf(uuid, 0)).toBe(macAddressOf(uuid, 0));
    expect(macAddressOf(uuid, 0)).toMatch(/^52:54:00(:[0-9a-f]{2}){3}$/);
    expect(
      new Set([macAddressOf(uuid, 0), macAddressOf(uuid, 1), macAddressOf(uuid.replace('1d', '2d'), 0)]).size,
    ).toBe(3);
  });

  it('connects machines of a cluster to one segment, and those of another cluster to another', () => {
    const of = (name: string) => segmentOf({ metadata: { namespace: 'default', name } });
    expect(of('one')).toEqual(of('one'));
    expect(of('one')).not.toEqual(of('other'));
  });
});
