import { describe, expect, it } from 'vitest';
import { bridgeCommands, podNetworkOf } from './pod-network.js';

const loopback = {
  ifname: 'lo',
  address: '00:00:00:00:00:00',
  mtu: 65536,
  link_type: 'loopback',
  addr_info: [{ family: 'inet', local: '127.0.0.1', prefixlen: 8 }],
};
const eth0 = {
  ifname: 'eth0',
  address: 'ee:11:22:33:44:55',
  mtu: 1450,
  link_type: 'ether',
  addr_info: [
    { family: 'inet', local: '10.244.1.7', prefixlen: 24 },
    { family: 'inet6', local: 'fe80::1', prefixlen: 64 },
  ],
};
const routes = [{ dst: 'default', gateway: '10.244.1.1', dev: 'eth0' }];

describe('the network of a pod', () => {
  it('gives the guest the IP address, the MAC address and the MTU of the pod [kvm 14, 19]', () => {
    expect(podNetworkOf([loopback, eth0], routes)).toEqual({
      interface: 'eth0',
      bridge: 'br-eth0',
      macAddress: 'ee:11:22:33:44:55',
      ipAddresses: ['10.244.1.7/24'],
      gateway: '10.244.1.1',
      mtu: 1450,
    });
  });

  it('removes both addresses from the interface, and gives it a MAC address that is stable across restarts', () => {
    const network = podNetworkOf([loopback, eth0], routes);
    const commands = bridgeCommands(network, 'u').map((words) => words.join(' '));
    expect(commands[2]).toBe('address flush dev eth0');
    expect(commands[3]).toMatch(/^link set dev eth0 address 52:54:01:/);
    expect(bridgeCommands(network, 'u')).toEqual(bridgeCommands(network, 'u'));
  });

  it('limits interface names to fifteen characters [kvm 24]', () => {
    const { bridge } = podNetworkOf([{ ...eth0, ifname: 'a-very-long-one' }], []);
    expect(bridge.length).toBeLessThanOrEqual(15);
  });

  it('reports a pod without a usable address', () => {
    expect(() => podNetworkOf([loopback], [])).toThrow('no interface with an address');
  });
});
