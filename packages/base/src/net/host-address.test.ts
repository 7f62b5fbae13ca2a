import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { advertisedAddress } from './host-address.js';

const entry = (address: string, internal = false): NetworkInterfaceInfo =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo;
const interfaces = {
  lo: [entry('127.0.0.1', true)],
  eth0: [entry('fe80::1'), entry('2001:db8::1'), entry('192.0.2.7')],
};

describe('the advertised address', () => {
  const rows = [
    { bound: '192.0.2.9', address: '192.0.2.9' },
    { bound: '127.0.0.1', address: '192.0.2.7' },
    { bound: '0.0.0.0', address: '192.0.2.7' },
    { bound: '::', address: '192.0.2.7' },
  ];
  it.each(rows)('of a server on $bound is $address', ({ bound, address }) => {
    expect(advertisedAddress(bound, interfaces)).toBe(address);
  });

  it('is an IPv6 address if the host has no IPv4 address', () => {
    expect(advertisedAddress('::1', { eth0: [entry('fe80::1'), entry('2001:db8::1')] })).toBe('2001:db8::1');
  });

  it('does not exist on a host without network interfaces', () => {
    expect(advertisedAddress('127.0.0.1', { lo: [entry('127.0.0.1', true)] })).toBeUndefined();
  });
});
