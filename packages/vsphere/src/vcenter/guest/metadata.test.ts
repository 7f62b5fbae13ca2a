import { describe, expect, it } from 'vitest';
import { renderMetadata } from './metadata.js';

const none = new Map();

describe('renderMetadata', () => {
  it('renders the same bytes as upstream [vsphere 18]', () => {
    const text = renderMetadata(
      'node-1',
      {
        devices: [
          {
            networkName: 'a',
            dhcp4: true,
            mtu: 1500,
            dhcp4Overrides: {
              hostname: 'x',
              routeMetric: 0,
              sendHostname: false,
              useDomains: 'route',
              useRoutes: 'route',
            },
          },
          {
            networkName: 'b',
            deviceName: 'ens224',
            ipAddrs: ['10.0.0.5/24', 'fd00::5/64'],
            gateway4: '10.0.0.1',
            gateway6: 'fd00::1',
            routes: [{ to: '192.168.0.0/16', via: '10.0.0.1', metric: 0 }],
            nameservers: ['8.8.8.8'],
            searchDomains: ['a.b'],
          },
        ],
      },
      ['00:50:56:aa:bb:cc', '00:50:56:aa:bb:dd'],
      none,
    );
    expect(text).toBe(`
instance-id: "node-1"
local-hostname: "node-1"
wait-on-network:
  ipv4: true
  ipv6: false
network:
  version: 2
  ethernets:
    id0:
      match:
        macaddress: "00:50:56:aa:bb:cc"
      set-name: "eth0"
      wakeonlan: true
      dhcp4: true
      dhcp6: false
      accept-ra: false
      dhcp4-overrides:
        hostname: "x"
        route-metric: 0
        send-hostname: false
        use-domains: route
        use-routes: "route"
      mtu: 1500
    id1:
      match:
        macaddress: "00:50:56:aa:bb:dd"
      set-name: "ens224"
      wakeonlan: true
      dhcp4: false
      dhcp6: false
      accept-ra: false
      addresses:
      - "10.0.0.5/24"
      - "fd00::5/64"
      gateway4: "10.0.0.1"
      gateway6: "fd00::1"
      routes:
      - to: "192.168.0.0/16"
        via: "10.0.0.1"
        metric: 0
      nameservers:
        addresses:
        - "8.8.8.8"
        search:
        - "a.b"
`);
  });

  const one = (device: object, rest: object = {}, pools = none): string =>
    renderMetadata('n', { devices: [{ networkName: 'a', ...device }], ...rest }, ['m0'], pools);

  it('replaces the gateways of a device with those of its pools, even if these are empty [vsphere 19]', () => {
    const pools = new Map([['m0', { addresses: ['10.1.0.7/24'] }]]);
    const text = one({ ipAddrs: ['10.0.0.5/24'], gateway4: '10.0.0.1' }, {}, pools);
    expect(text).toContain('      - "10.0.0.5/24"\n      - "10.1.0.7/24"\n');
    expect(text).not.toContain('gateway4');
    const given = new Map([['m0', { addresses: ['10.1.0.7/24'], gateway4: '10.1.0.1' }]]);
    expect(one({ gateway4: '10.0.0.1' }, {}, given)).toContain('gateway4: "10.1.0.1"');
  });

  it('does not wait for the network if addresses are static [vsphere 20]', () => {
    expect(one({ ipAddrs: ['10.0.0.5/24'] })).toContain('wait-on-network:\n  ipv4: false\n  ipv6: false\n');
    expect(one({ dhcp6: true })).toContain('wait-on-network:\n  ipv4: false\n  ipv6: true\n');
  });

  it('prints false for unset DHCP flags, and keeps false and 0 in overrides [vsphere 21]', () => {
    const text = one({ dhcp6Overrides: { useDNS: false, routeMetric: 0 } });
    expect(text).toContain('      dhcp4: false\n      dhcp6: false\n      accept-ra: false\n');
    expect(text).toContain('      dhcp6-overrides:\n        route-metric: 0\n        use-dns: false\n');
  });

  it('appends the routes of the machine to those of each device [vsphere 22]', () => {
    const own = { routes: [{ to: '10.9.0.0/16', via: '10.0.0.9', metric: 5 }] };
    const text = one(own, { routes: [{ to: '10.8.0.0/16', via: '10.0.0.8', metric: 0 }] });
    expect(text).toMatch(/routes:\n {6}- to: "10\.9[^]*- to: "10\.8/);
    expect(text).not.toMatch(/^ {0,4}routes:/m);
  });

  it('names network cards beyond those of the spec without configuring them [vsphere 15]', () => {
    const text = renderMetadata('n', { devices: [{ networkName: 'a', dhcp4: true }] }, ['m0', 'm1'], none);
    expect(text).toContain(
      '    id1:\n      match:\n        macaddress: "m1"\n      set-name: "eth1"\n      wakeonlan: true\n      dhcp4: false\n',
    );
  });
});
