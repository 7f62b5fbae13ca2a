import { inClusterIpPools, labels } from '@slipway/cluster-api';
import { reachSimulatedGuest } from '@slipway/simulators';
import { haproxyLoadBalancers, type VimSession, vsphereClusters, vsphereVms } from '@slipway/vsphere';
import { expect } from 'vitest';
import {
  conditionOf,
  namespace,
  type ObjectEnvironment,
} from '../../packages/vsphere/test/support/object-environment.js';
import { createCluster as createSupervisorCluster } from '../../packages/vsphere/test/support/supervisor-manifests.js';
import { guestInfoOf } from './inventory.js';
import { createLoadBalancer, createWholeCluster } from './vcenter-manifests.js';

/** The environment in which a cluster is created and inspected. */
export interface CaseEnvironment {
  readonly objects: ObjectEnvironment;
  readonly session: VimSession;
  readonly server: string;
}

/** A cluster that is tested through its whole lifecycle. */
export interface ClusterCase {
  readonly name: string;
  readonly mode: 'vcenter' | 'supervisor';
  /** Whether the control plane is also scaled to three machines. That takes longest, and does not depend on the case. */
  readonly growsControlPlane: boolean;
  create(environment: CaseEnvironment): Promise<void>;
  /** Case-specific checks once the cluster is available. `machines` are the names of its control plane machines. */
  check?(environment: CaseEnvironment, machines: readonly string[]): Promise<void>;
  /** Simulates external components while the cluster exists. */
  accompany?(environment: CaseEnvironment, signal: AbortSignal): Promise<void>;
}

export type Balancer = 'vip' | 'given' | 'nsx' | 'haproxy';
export type Addressing = 'dhcp' | 'static' | 'ipam';

const kubeVipPath = '/etc/kubernetes/manifests/kube-vip.yaml';
const kubeVip = (address: string): object => ({
  path: kubeVipPath,
  owner: 'root:root',
  content: `apiVersion: v1\nkind: Pod\nmetadata: {name: kube-vip}\nspec: {containers: [{name: kube-vip, env: [{name: address, value: ${address}}]}]}\n`,
});

export interface VCenterCaseOptions {
  /** The provider of the endpoint: a static Pod, an external load balancer, NSX, or a machine with HAProxy. */
  readonly balancer: Balancer;
  /** The source of addresses: DHCP, a user who sets each address, or claims from a pool. */
  readonly addressing: Addressing;
  readonly name?: string;
  /** A unique number from which the addresses of the cluster are derived. */
  readonly number: number;
  readonly endpoint?: { readonly host: string; readonly port: number };
  readonly growsControlPlane?: boolean;
}

/** Returns a cluster in a vCenter. */
export function vcenterCase(options: VCenterCaseOptions): ClusterCase {
  const { balancer, addressing, number, name = `${balancer}-${addressing}`, growsControlPlane = true } = options;
  const { endpoint = { host: `10.251.0.${number}`, port: 6443 } } = options;
  const prefix = `10.252.${number}`;
  const networkName = balancer === 'nsx' ? 'DC0_NSX0' : 'DC0_DVPG0';
  const machine = { network: { devices: [{ networkName, ...deviceFields(name, addressing) }] } };
  return {
    name,
    mode: 'vcenter',
    growsControlPlane,
    async create({ objects, server }) {
      if (addressing === 'ipam') await createPool(objects, name, prefix);
      if (balancer === 'haproxy') await createLoadBalancer(objects, name, machine);
      await createWholeCluster(objects, {
        name,
        server,
        machine,
        ...(balancer !== 'haproxy' && { endpoint }),
        ...(balancer === 'vip' && { files: [kubeVip(endpoint.host)] }),
      });
    },
    async check({ objects, session }, [first = '']) {
      const info = await guestInfoOf(session, first);
      expect(info('userdata').includes(kubeVipPath)).toBe(balancer === 'vip');
      expect(info('metadata')).toMatch(metadataPattern(addressing, prefix));
      const { spec } = await objects.get(vsphereClusters, name);
      const { status } = balancer === 'haproxy' ? await objects.get(haproxyLoadBalancers, name) : {};
      expect(spec.controlPlaneEndpoint).toEqual(
        status === undefined ? endpoint : { host: reachSimulatedGuest(status.address ?? ''), port: 6443 },
      );
    },
    ...(addressing === 'static' && {
      accompany: ({ objects }: CaseEnvironment, signal: AbortSignal) => giveAddresses(objects, name, prefix, signal),
    }),
  };
}

const poolOf = (cluster: string) => ({
  apiGroup: 'ipam.cluster.x-k8s.io',
  kind: 'InClusterIPPool',
  name: `${cluster}-nodes`,
});

function deviceFields(cluster: string, addressing: Addressing): object {
  if (addressing === 'dhcp') return { dhcp4: true };
  return addressing === 'ipam' ? { addressesFromPools: [poolOf(cluster)] } : {};
}

function metadataPattern(addressing: Addressing, prefix: string): RegExp {
  if (addressing === 'dhcp') return /dhcp4: true/;
  const gateway = addressing === 'ipam' ? `\\n\\s+gateway4: "${prefix}.1"` : '';
  return new RegExp(`dhcp4: false[^]*addresses:\\n\\s+- "${prefix}.\\d+/24"${gateway}`);
}

async function createPool(objects: ObjectEnvironment, cluster: string, prefix: string): Promise<void> {
  const { apiGroup, kind, name } = poolOf(cluster);
  await objects.create(inClusterIpPools, {
    apiVersion: `${apiGroup}/v1alpha2`,
    kind,
    metadata: { name, namespace },
    spec: { addresses: [`${prefix}.10-${prefix}.40`], prefix: 24, gateway: `${prefix}.1` },
  });
}

/** Sets the next free address on each new machine that waits for one. */
async function giveAddresses(
  { client }: ObjectEnvironment,
  cluster: string,
  prefix: string,
  signal: AbortSignal,
): Promise<void> {
  let next = 10;
  const given = new Set<string>();
  const selection = { namespace, labelSelector: `${labels.clusterName}=${cluster}` };
  while (!signal.aborted) {
    const { items, resourceVersion } = await client.list(vsphereVms, selection);
    for (const { metadata, spec, ...vm } of items) {
      const { uid = '', name = '' } = metadata;
      const waits = conditionOf(vm, 'VirtualMachineProvisioned')?.reason === 'WaitingForStaticIPAllocation';
      if (!waits || given.has(uid)) continue;
      given.add(uid);
      const ipAddrs = [`${prefix}.${next++}/24`];
      const devices = spec.network.devices.map((device) => ({ ...device, ipAddrs, gateway4: `${prefix}.1` }));
      const patch = { spec: { network: { devices } } };
      await client.patch(vsphereVms, { namespace, name }, { type: 'merge', patch: JSON.parse(JSON.stringify(patch)) });
    }
    try {
      for await (const _events of client.watch(vsphereVms, { ...selection, resourceVersion, signal })) break;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Returns a cluster on a Supervisor with one of its networks. Defaults to the network provider of the process. */
export function supervisorCase(name: string, provider?: string): ClusterCase {
  return {
    name,
    mode: 'supervisor',
    growsControlPlane: true,
    create: ({ objects }) =>
      createSupervisorCluster(objects, {
        name,
        ...(provider !== undefined && { vsphereCluster: { network: { provider } } }),
      }),
  };
}
