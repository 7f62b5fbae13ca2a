import { cloneJson, type Frozen, type KubeObject } from '@slipway/kube';
import { configMaps, ifPresent, namespaces } from '@slipway/runtime';
import { type VirtualNetwork, virtualNetworks } from '../../api/index.js';
import { apiVersionOf } from '../platform.js';
import type { NetworkProvider, NetworkScope, VmInterface } from './network-provider.js';
import { ensureClusterNetwork, requireReady } from './readiness.js';

const versionConfig = { namespace: 'vmware-system-nsx', name: 'nsx-ncp-version-config' };
const snatAnnotation = 'ncp/snat_ip';

function networkName({ vsphereCluster }: NetworkScope): string {
  return `${vsphereCluster.metadata.name ?? ''}-vnet`;
}

/** Network provider for NSX Tier-1 gateways: each cluster has its own network behind a gateway. */
export const nsxTier1Provider: NetworkProvider = {
  hasLoadBalancer: true,
  supportsReadinessProbe: true,
  async ensureNetwork(scope) {
    const ranges = await sourceRanges(scope);
    const network = await ensureClusterNetwork<VirtualNetwork>(scope, virtualNetworks, networkName(scope), (draft) => {
      if (ranges === undefined) return;
      draft.spec ??= {};
      draft.spec.whitelistSourceRanges = ranges;
    });
    requireReady(network as Frozen<KubeObject>);
  },
  serviceAnnotations: (scope) => Promise.resolve({ 'ncp.vmware.com/virtual-network-name': networkName(scope) }),
  // Adds an interface only if it is missing: other clients may have added theirs.
  connect(scope, _machine, current) {
    const name = networkName(scope);
    const interfaces: VmInterface[] = (current?.interfaces ?? []).map((each) => cloneJson(each) as VmInterface);
    if (!interfaces.some(({ network }) => network?.name === name)) {
      const apiVersion = apiVersionOf(virtualNetworks);
      const network = { apiVersion, kind: virtualNetworks.kind, name };
      interfaces.push({ name: `eth${interfaces.length}`, network });
    }
    return Promise.resolve({ interfaces });
  },
};

/**
 * Returns the source ranges that the load balancer must admit: NCP 3.0.1 up to but not including 3.1.0 admits only listed
 * sources, here the Supervisor itself.
 */
async function sourceRanges({ context }: NetworkScope): Promise<string | undefined> {
  const { read, signal } = context;
  const config = await ifPresent(read.get(configMaps, versionConfig, { signal }));
  if (!needsSourceRanges(config?.data?.['version'] ?? '')) return undefined;
  const system = await ifPresent(read.get(namespaces, { namespace: '', name: 'kube-system' }, { signal }));
  const address = system?.metadata.annotations?.[snatAnnotation];
  return address === undefined || address === '' ? undefined : `${address}/32`;
}

export function needsSourceRanges(version: string): boolean {
  const [major, minor, patch] = version.split('.', 3).map(Number);
  return major === 3 && minor === 0 && patch !== undefined && patch >= 1;
}
