import { tryParseCidr, type IpFamily } from '@slipway/kube';
import type { ObservedCluster } from '@slipway/cluster-api';
import { ReconcileError } from '@slipway/runtime';

/**
 * The families of addresses of a cluster, the first one first: those of its pods, or of its services. A cluster that says
 * nothing of either has none that could be told.
 */
export function podFamilies(cluster: Pick<ObservedCluster, 'spec'>): readonly IpFamily[] {
  const { pods, services } = cluster.spec.clusterNetwork ?? {};
  const blocks = pods?.cidrBlocks ?? services?.cidrBlocks ?? [];
  const families = [...new Set(blocks.map(familyOf))];
  if (families.length > 0) return families;
  throw new ReconcileError('NotReady', 'the Cluster names neither pod nor service CIDR blocks', {
    retry: 'onChange',
    remedy: 'set spec.clusterNetwork.pods.cidrBlocks of the Cluster',
  });
}

function familyOf(block: string): IpFamily {
  return tryParseCidr(block)?.address.family ?? 'IPv4';
}
