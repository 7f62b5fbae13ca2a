import type { Frozen } from '@slipway/kube';
import type { SupervisorCluster } from '../../api/index.js';
import { canonicalNetworkProvider, type NetworkProviderName } from '../network-provider-name.js';
import { distributedProvider } from './distributed.js';
import type { NetworkProvider } from './network-provider.js';
import { nsxTier1Provider } from './nsx-tier1.js';
import { vpcProvider } from './vpc.js';

export type { NetworkProvider } from './network-provider.js';

/** Network provider that does nothing, because another component connects the VMs and the load balancer. */
const foreignProvider: NetworkProvider = {
  hasLoadBalancer: false,
  supportsReadinessProbe: true,
  ensureNetwork: () => Promise.resolve(),
  serviceAnnotations: () => Promise.resolve({}),
  connect: () => Promise.resolve(undefined),
};

const providers: Readonly<Record<NetworkProviderName, NetworkProvider>> = {
  VSphereDistributed: distributedProvider,
  NSXTier1: nsxTier1Provider,
  VPC: vpcProvider,
  DummyLBNetworkProvider: { ...foreignProvider, hasLoadBalancer: true },
  '': foreignProvider,
};

/**
 * Returns the network provider of a cluster: that of the process, or with the feature gate ClusterNetworkProvider the one in
 * spec.network.provider. Undefined while that field is not set.
 */
export function networkProviderOf(
  vsphereCluster: Frozen<SupervisorCluster>,
  options: { readonly networkProvider: string; readonly perCluster: boolean },
): NetworkProvider | undefined {
  if (!options.perCluster) return providers[canonicalNetworkProvider(options.networkProvider)];
  const name = vsphereCluster.spec?.network?.provider;
  return name === undefined ? undefined : providers[canonicalNetworkProvider(name)];
}
