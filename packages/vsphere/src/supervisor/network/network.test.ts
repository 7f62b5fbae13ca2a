import type { Frozen, KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { podFamilies } from '../ip-families.js';
import { distributedProvider } from './distributed.js';
import { networkProviderOf } from './index.js';
import type { MachineNetwork, NetworkScope, VmNetwork } from './network-provider.js';
import { needsSourceRanges, nsxTier1Provider } from './nsx-tier1.js';
import { vpcProvider } from './vpc.js';

const defaultNetwork = {
  metadata: { name: 'primary', namespace: 'ns', labels: { 'capv.vmware.com/is-default-network': 'true' } },
} as unknown as Frozen<KubeObject>;

function scopeOf(
  options: { createSubnetSet?: boolean; dualStack?: boolean; networks?: readonly object[] } = {},
): NetworkScope {
  const { createSubnetSet, dualStack = false, networks = [defaultNetwork] } = options;
  const nsxVPC = createSubnetSet === undefined ? {} : { nsxVPC: { createSubnetSet } };
  return {
    cluster: { metadata: {}, spec: { clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/16', 'fd00::/64'] } } } },
    vsphereCluster: { metadata: { name: 'prod', namespace: 'ns' }, spec: { network: nsxVPC } },
    features: { IPv6DualStack: dualStack },
    context: {
      read: { resourceFor: () => Promise.resolve({}) },
      sources: {},
      follow: () => Promise.resolve({ byIndex: () => networks }),
    },
  } as unknown as NetworkScope;
}

const foreign = { interfaces: [{ name: 'eth9', network: { name: 'foreign' } }] } as Frozen<VmNetwork>;
const subnet = { apiVersion: 'crd.nsx.vmware.com/v1alpha1', kind: 'Subnet', name: 'storage' };
const machine = { interfaces: { secondary: [{ name: 'eth1', networkRef: subnet, mtu: 9000 }] } } as MachineNetwork;

describe('interfaces that other clients added [vsphere 47]', () => {
  it('removes them on a distributed switch, where the list is rebuilt', async () => {
    const network = await distributedProvider.connect(scopeOf(), machine, foreign);
    expect(network?.interfaces).toEqual([
      { name: 'eth0', network: { apiVersion: 'netoperator.vmware.com/v1alpha1', kind: 'Network', name: 'primary' } },
      { name: 'eth1', network: subnet, mtu: 9000 },
    ]);
  });

  it('removes them in a VPC, where only the first interface has a default gateway', async () => {
    const network = await vpcProvider.connect(scopeOf(), machine, foreign);
    expect(network?.interfaces).toEqual([
      { name: 'eth0', network: { apiVersion: 'crd.nsx.vmware.com/v1alpha1', kind: 'SubnetSet', name: 'prod' } },
      { name: 'eth1', network: subnet, mtu: 9000, gateway4: 'None', gateway6: 'None' },
    ]);
  });

  it('keeps them with NSX Tier-1, where only the interface of the cluster is added', async () => {
    const own = { apiVersion: 'vmware.com/v1alpha1', kind: 'VirtualNetwork', name: 'prod-vnet' };
    const network = await nsxTier1Provider.connect(scopeOf(), undefined, foreign);
    expect(network?.interfaces).toEqual([...(foreign.interfaces ?? []), { name: 'eth1', network: own }]);
    const again = await nsxTier1Provider.connect(scopeOf(), undefined, network as Frozen<VmNetwork>);
    expect(again).toEqual(network);
  });
});

describe('networks', () => {
  it('uses either the networks of the cluster or those of the machine in a VPC', async () => {
    const primary = { interfaces: { primary: { networkRef: { ...subnet, kind: 'SubnetSet' } } } } as MachineNetwork;
    const connected = await vpcProvider.connect(scopeOf({ createSubnetSet: false }), primary, undefined);
    expect(connected?.interfaces?.[0]?.network?.name).toBe('storage');
    await expect(vpcProvider.connect(scopeOf({ createSubnetSet: false }), undefined, undefined)).rejects.toThrow(
      'must be set',
    );
    await expect(vpcProvider.connect(scopeOf(), primary, undefined)).rejects.toThrow('can only be set');
  });

  it('sets both IP families in a dual-stack Supervisor', async () => {
    const network = await vpcProvider.connect(scopeOf({ dualStack: true }), undefined, undefined);
    expect(network?.interfaces?.[0]?.ipamModes).toEqual(['IPv4', 'IPv6']);
  });

  it.each([
    ['none', [], 'no Network in namespace ns'],
    ['two', [defaultNetwork, defaultNetwork], '2 Networks in namespace ns have the label'],
  ])('requires exactly one default network of a distributed switch, not %s', async (_name, networks, message) => {
    await expect(distributedProvider.ensureNetwork(scopeOf({ networks }))).rejects.toThrow(message);
  });

  it.each([
    ['3.0.0.1', false],
    ['3.0.1.15', true],
    ['3.0.9', true],
    ['3.1.0', false],
    ['', false],
  ])('lists the allowed sources for NCP %s: %s', (version, expected) => {
    expect(needsSourceRanges(version)).toBe(expected);
  });

  it.each([
    ['vsphere-network', true, true],
    ['NSX', true, true],
    ['NSX-VPC', true, false],
    ['DummyLBNetworkProvider', true, true],
    ['something else', false, true],
  ])('%s: load balancer %s, probe %s', (networkProvider, hasLoadBalancer, supportsReadinessProbe) => {
    const cluster = scopeOf().vsphereCluster;
    expect(networkProviderOf(cluster, { networkProvider, perCluster: false })).toMatchObject({
      hasLoadBalancer,
      supportsReadinessProbe,
    });
    expect(networkProviderOf(cluster, { networkProvider, perCluster: true })).toBeUndefined();
  });
});

describe('the IP families of a cluster [vsphere 46]', () => {
  it.each([
    ['of its pods', { pods: { cidrBlocks: ['fd00::/64'] }, services: { cidrBlocks: ['10.0.0.0/8'] } }, ['IPv6']],
    ['of its services', { services: { cidrBlocks: ['10.0.0.0/8', 'fd00::/64'] } }, ['IPv4', 'IPv6']],
  ])('are those %s', (_name, clusterNetwork, families) => {
    expect(podFamilies({ spec: { clusterNetwork } })).toEqual(families);
  });

  it('are unknown without CIDR blocks, even for IPv4', () => {
    expect(() => podFamilies({ spec: {} })).toThrow('set spec.clusterNetwork.pods.cidrBlocks of the Cluster');
  });
});
