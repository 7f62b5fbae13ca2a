import { tryParseCidr, type IpFamily } from '@slipway/kube';
import type { ObservedCluster } from '@slipway/cluster-api';
import { ReconcileError } from '@slipway/runtime';

/**
 * Returns the IP families of a cluster in order: those of its pod CIDR blocks, or else of its service CIDR blocks. Throws if the
 * cluster has neither.
 */
export function podFamilies(cluster: Pick<ObservedCluster, 'spec'>): readonly IpFamily[] {
  const { pods, services } = cluster.spec.clusterNetwork ?? {};
  const blocks = pods?.cidrBlocks ?? services?.cidrBlocks ?? [];
  const families = [...new Set(blocks.map(familyOf))];
  if (families.length > 0) return families;
  throw new ReconcileError('NotReady', 'the Cluster has neither pod nor service CIDR blocks', {
    retry: 'onChange',
    remedy: 'set spec.clusterNetwork.pods.cidrBlocks of the Cluster',
  });
}

function familyOf(block: string): IpFamily {
  return tryParseCidr(block)?.address.family ?? 'IPv4';
}
