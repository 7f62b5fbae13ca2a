import { describe, expect, it } from 'vitest';
import type { MapiMachine } from '../api/index.js';
import { discoverNetworks, type NetworkPort, type OpenStackNetworkService, serverIdOf } from './networks.js';
import { controlPlaneProviderSpec } from './provider-spec.js';

const labels = {
  'machine.openshift.io/cluster-api-machine-role': 'master',
  'machine.openshift.io/cluster-api-machine-type': 'master',
};

function machine(name: string, made: string, from: string, own: Record<string, string> = labels): MapiMachine {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name, creationTimestamp: made, labels: own },
    spec: { providerSpec: { value: { from } } },
  };
}

describe('providerSpec of control plane machines', () => {
  const set = (state: string) => ({
    apiVersion: 'machine.openshift.io/v1' as const,
    kind: 'ControlPlaneMachineSet' as const,
    metadata: { name: 'cluster' },
    spec: {
      state,
      template: { machines_v1beta1_machine_openshift_io: { spec: { providerSpec: { value: { from: 'set' } } } } },
    },
  });
  const machines = [
    machine('a', '2026-01-01T00:00:00Z', 'old'),
    machine('b', '2026-01-02T00:00:00Z', 'b'),
    machine('c', '2026-01-02T00:00:00Z', 'c'),
    machine('w', '2026-01-03T00:00:00Z', 'worker', {}),
  ];

  it('comes from the active ControlPlaneMachineSet, otherwise from the newest machine', () => {
    expect(controlPlaneProviderSpec(set('Active'), machines)).toEqual({ from: 'set' });
    expect(controlPlaneProviderSpec(set('Inactive'), machines)).toEqual({ from: 'c' });
    expect(controlPlaneProviderSpec(undefined, [])).toBeUndefined();
  });
});

describe('networks of OpenStack', () => {
  const subnet = { id: 's', cidr: '10.0.0.0/24', gatewayIp: '10.0.0.1' };
  const gateway = (deviceId: string): NetworkPort => ({
    networkId: 'n',
    deviceId,
    addresses: [{ subnetId: 's', ip: '10.0.0.1' }],
  });
  const service = (
    gateways: readonly NetworkPort[],
    external: string | undefined = 'world',
  ): OpenStackNetworkService => ({
    portsOf: (filter) =>
      Promise.resolve('deviceId' in filter ? [{ networkId: 'n', deviceId: filter.deviceId, addresses: [] }] : gateways),
    subnetsOf: () => Promise.resolve([{ ...subnet, id: 'other', cidr: '192.168.0.0/24' }, subnet]),
    router: () => Promise.resolve({ externalNetworkId: external }),
  });

  it('are discovered from the ports of a machine', async () => {
    expect(await discoverNetworks(service([gateway('router')]), ['server'], ['10.0.0.5'])).toEqual({
      networkId: 'n',
      routerId: 'router',
      externalNetworkId: 'world',
    });
    expect(serverIdOf('openstack:///abc')).toBe('abc');
    expect(serverIdOf('openstack://region/abc')).toBe('abc');
    expect(serverIdOf('aws:///x')).toBeUndefined();
  });

  it.each([
    { name: 'no port with the address of the gateway', gateways: [], ips: ['10.0.0.5'] },
    { name: 'two ports with the address of the gateway', gateways: [gateway('a'), gateway('b')], ips: ['10.0.0.5'] },
    { name: 'no subnet with the address of the cluster', gateways: [gateway('a')], ips: ['10.9.0.5'] },
  ])('cannot be discovered with $name', async ({ gateways, ips }) => {
    await expect(discoverNetworks(service(gateways), ['server'], ips)).rejects.toThrow(/gateway address|in a subnet/);
  });
});
