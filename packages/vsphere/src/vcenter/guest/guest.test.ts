import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { make } from '../../vim25/index.js';
import { isReachableAddress } from './addresses.js';
import { networkStatusOf } from './network-status.js';
import { mergePoolAddresses } from './pool-addresses.js';
import { decodeOption, encodeOnce, userDataOptions } from './user-data.js';

describe('user data', () => {
  it('is decoded from base64 repeatedly, and encoded once [vsphere 23]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), (times) => {
        let wrapped = Buffer.from('#cloud-config\nusers: []\n');
        for (let time = 0; time < times; time += 1) wrapped = Buffer.from(wrapped.toString('base64'));
        expect(encodeOnce(wrapped)).toBe(Buffer.from('#cloud-config\nusers: []\n').toString('base64'));
      }),
    );
    expect(encodeOnce(Buffer.alloc(0))).toBe('');
  });

  it('uses a separate key for Ignition', () => {
    const keys = userDataOptions(Buffer.from('{ }'), 'ignition').map(({ key }) => key);
    expect(keys).toEqual(['guestinfo.ignition.config.data', 'guestinfo.ignition.config.data.encoding']);
    const options = userDataOptions(Buffer.from('#cloud-config'), 'cloud-config');
    expect(decodeOption(options, 'guestinfo.userdata')).toBe('#cloud-config');
    expect(decodeOption(options, 'guestinfo.metadata')).toBe('');
  });
});

describe('addresses', () => {
  it.each([
    ['10.0.0.1', true],
    ['fd00::1', true],
    ['169.254.1.1', false],
    ['fe80::1', false],
    ['127.0.0.1', false],
    ['::1', false],
    ['0.0.0.0', false],
    ['224.0.0.251', false],
    ['ff02::1', false],
    ['nonsense', false],
  ])('classifies %s as reachable from outside: %s', (address, expected) => {
    expect(isReachableAddress(address)).toBe(expected);
  });

  it('are matched to network cards by MAC address without case, in the order of the devices [vsphere 15, 16]', () => {
    const card = (key: number, macAddress: string) => make('VirtualVmxnet3', { key, macAddress });
    const status = networkStatusOf(
      [
        card(4001, '00:50:56:AA:BB:02'),
        make('VirtualDisk', { key: 2000, capacityInKB: 1n }),
        card(4000, '00:50:56:aa:bb:01'),
      ],
      [
        { macAddress: '00:50:56:aa:bb:01', ipAddress: ['10.0.0.1', 'fe80::1'], connected: true, network: 'VM Network' },
        { macAddress: '00:50:56:aa:bb:02', ipAddress: ['10.0.0.2'], connected: true },
        { macAddress: 'aa:aa:aa:aa:aa:aa', ipAddress: ['172.17.0.1'], connected: true },
      ],
    );
    expect(status).toEqual([
      { macAddr: '00:50:56:AA:BB:02', connected: true, ipAddrs: ['10.0.0.2'] },
      { macAddr: '00:50:56:aa:bb:01', connected: true, ipAddrs: ['10.0.0.1'], networkName: 'VM Network' },
    ]);
  });
});

it('include those of bridges and virtual IPs in the guest [vsphere 65]', () => {
  const card = make('VirtualVmxnet3', { key: 4000, macAddress: '00:50:56:00:00:01' });
  const [status] = networkStatusOf(
    [card],
    [{ macAddress: '00:50:56:00:00:01', ipAddress: ['10.0.0.5', '10.0.0.100', '192.168.0.1', 'fe80::1', '127.0.0.1'] }],
  );
  expect(status?.ipAddrs).toEqual(['10.0.0.5', '10.0.0.100', '192.168.0.1']);
});

describe('IPAM addresses', () => {
  const device = (claimed: object[], rest: object = {}) =>
    mergePoolAddresses([{ index: 0, mac: 'm0', claimed: claimed as never, ...rest }]);

  it('are written with their prefix length, keyed by the exact MAC address', () => {
    const merged = device([
      { address: '10.0.0.5', prefix: 24, gateway: '10.0.0.1' },
      { address: 'fd00::5', prefix: 64, gateway: 'fd00::1' },
    ]);
    expect(merged).toEqual({
      pools: new Map([['m0', { addresses: ['10.0.0.5/24', 'fd00::5/64'], gateway4: '10.0.0.1', gateway6: 'fd00::1' }]]),
    });
    expect(device([])).toEqual({ pools: new Map() });
  });

  it.each([
    [
      'a duplicate address',
      [
        { address: '10.0.0.5', prefix: 24 },
        { address: '10.0.0.5', prefix: 24 },
      ],
      {},
      'was allocated from two pools',
    ],
    ['an invalid address', [{ address: 'x', prefix: 24 }], {}, 'invalid IP address'],
    ['an invalid gateway', [{ address: '10.0.0.5', prefix: 24, gateway: 'x' }], {}, 'invalid gateway "x"'],
    [
      'a gateway of another IP family',
      [{ address: '10.0.0.5', prefix: 24, gateway: 'fd00::1' }],
      {},
      'another IP family',
    ],
    [
      'a gateway that differs from that of the device',
      [{ address: '10.0.0.5', prefix: 24, gateway: '10.0.0.1' }],
      { gateway4: '10.0.0.2' },
      'differs from gateway 10.0.0.2',
    ],
    [
      'two gateways',
      [
        { address: '10.0.0.5', prefix: 24, gateway: '10.0.0.1' },
        { address: '10.0.0.6', prefix: 24, gateway: '10.0.0.2' },
      ],
      {},
      'different gateways',
    ],
  ])('rejects %s', (_name, claimed, rest, message) => {
    const merged = device(claimed, rest);
    expect('problems' in merged ? merged.problems.join('\n') : '').toContain(message);
  });
});
