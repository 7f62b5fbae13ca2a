import { inClusterIpPools, labels } from '@slipway/cluster-api';
import type { Resource } from '@slipway/runtime';
import { haproxyLoadBalancers, type VimSession, vsphereClusters, vsphereVms } from '@slipway/vsphere';
import { expect } from 'vitest';
import { conditionOf, namespace, type ObjectWorld } from '../../packages/vsphere/test/support/object-world.js';
import { createCluster as createSupervisorCluster } from '../../packages/vsphere/test/support/supervisor-manifests.js';
import { guestInfoOf } from './inventory.js';
import { createLoadBalancer, createWholeCluster } from './vcenter-manifests.js';

/** Where a cluster is made, and looked at. */
export interface CaseWorld {
  readonly objects: ObjectWorld;
  readonly session: VimSession;
  readonly server: string;
}

/** A cluster whose whole life is lived. */
export interface ClusterCase {
  readonly name: string;
  readonly mode: 'vcenter' | 'supervisor';
  create(world: CaseWorld): Promise<void>;
  /** What only such a cluster shows once it is up. The machines are the names of those of its control plane. */
  check?(world: CaseWorld, machines: readonly string[]): Promise<void>;
  /** Does what somebody else does for it as long as it lives. */
  accompany?(world: CaseWorld, signal: AbortSignal): Promise<void>;
}

const kubeVipPath = '/etc/kubernetes/manifests/kube-vip.yaml';
const kubeVip = (address: string): object => ({
  path: kubeVipPath,
  owner: 'root:root',
  content: `apiVersion: v1\nkind: Pod\nmetadata: {name: kube-vip}\nspec: {containers: [{name: kube-vip, env: [{name: address, value: ${address}}]}]}\n`,
});

/** A static pod on control plane machines holds the endpoint; addresses come from DHCP. */
export function kubeVipCase(name: string, endpoint: { readonly host: string; readonly port: number }): ClusterCase {
  return {
    name,
    mode: 'vcenter',
    create: ({ objects, server }) =>
      createWholeCluster(objects, { name, server, endpoint, files: [kubeVip(endpoint.host)] }),
    async check({ session }, [machine = '']) {
      const info = await guestInfoOf(session, machine);
      expect(info('userdata')).toContain(kubeVipPath);
      expect(info('metadata')).toContain('dhcp4: true');
    },
  };
}

const staticPrefix = '10.252.0';

/** A load balancer that somebody else has; somebody else says each address as well. */
export function givenEndpointCase(name: string): ClusterCase {
  return {
    name,
    mode: 'vcenter',
    create: ({ objects, server }) =>
      createWholeCluster(objects, {
        name,
        server,
        endpoint: { host: '10.251.0.2', port: 6443 },
        machine: { network: { devices: [{ networkName: 'DC0_DVPG0' }] } },
      }),
    async check({ session }, [machine = '']) {
      const info = await guestInfoOf(session, machine);
      expect(info('userdata')).not.toContain(kubeVipPath);
      expect(info('metadata')).toMatch(new RegExp(`dhcp4: false[^]*addresses:\\n\\s+- "${staticPrefix}\\.\\d+/24"`));
    },
    accompany: ({ objects }, signal) => giveAddresses(objects, name, signal),
  };
}

/** Gives each new machine that waits for an address the next one. */
async function giveAddresses({ client }: ObjectWorld, cluster: string, signal: AbortSignal): Promise<void> {
  let next = 10;
  const given = new Set<string>();
  while (!signal.aborted) {
    const { items, resourceVersion } = await client.list(vsphereVms, { namespace });
    for (const { metadata, spec, ...vm } of items) {
      const { uid = '', name = '' } = metadata;
      const reason = conditionOf(vm, 'VirtualMachineProvisioned')?.reason;
      const waits = metadata.labels?.[labels.clusterName] === cluster && reason === 'WaitingForStaticIPAllocation';
      if (!waits || given.has(uid)) continue;
      given.add(uid);
      const ipAddrs = [`${staticPrefix}.${next++}/24`];
      const devices = spec.network.devices.map((device) => ({ ...device, ipAddrs, gateway4: `${staticPrefix}.1` }));
      const patch = { spec: { network: { devices } } };
      await client.patch(vsphereVms, { namespace, name }, { type: 'merge', patch: JSON.parse(JSON.stringify(patch)) });
    }
    try {
      for await (const _events of client.watch(vsphereVms, { namespace, resourceVersion, signal })) break;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Machines on a segment of NSX, whose load balancer has the endpoint; addresses are claimed from a pool. */
export function nsxCase(name: string): ClusterCase {
  const poolRef = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: `${name}-nodes` };
  return {
    name,
    mode: 'vcenter',
    async create({ objects, server }) {
      await objects.create(inClusterIpPools as Resource, {
        apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
        kind: 'InClusterIPPool',
        metadata: { name: poolRef.name, namespace },
        spec: { addresses: ['10.253.0.10-10.253.0.40'], prefix: 24, gateway: '10.253.0.1' },
      });
      await createWholeCluster(objects, {
        name,
        server,
        endpoint: { host: '10.251.0.3', port: 6443 },
        machine: { network: { devices: [{ networkName: 'DC0_NSX0', addressesFromPools: [poolRef] }] } },
      });
    },
    async check({ session }, [machine = '']) {
      const metadata = (await guestInfoOf(session, machine))('metadata');
      expect(metadata).toMatch(/addresses:\n\s+- "10\.253\.0\.\d+\/24"\n\s+gateway4: "10\.253\.0\.1"/);
    },
  };
}

/** A machine with HAProxy, cloned before all others, has the endpoint. */
export function haproxyCase(name: string): ClusterCase {
  return {
    name,
    mode: 'vcenter',
    async create({ objects, server }) {
      await createLoadBalancer(objects, name);
      await createWholeCluster(objects, { name, server });
    },
    async check({ objects }) {
      const { status } = await objects.get(haproxyLoadBalancers, name);
      const { spec } = await objects.get(vsphereClusters, name);
      expect(spec.controlPlaneEndpoint).toEqual({ host: status?.address, port: 6443 });
    },
  };
}

/** On a Supervisor with one of its networks; without, that of the process. */
export function supervisorCase(name: string, provider?: string): ClusterCase {
  return {
    name,
    mode: 'supervisor',
    create: ({ objects }) =>
      createSupervisorCluster(objects, {
        name,
        ...(provider !== undefined && { vsphereCluster: { network: { provider } } }),
      }),
  };
}
