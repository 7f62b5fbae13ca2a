import { type InClusterIPPool, inClusterIpPools, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ownerReference, type ReconcileContext } from '@slipway/runtime';
import type { HostCluster } from '../api/index.js';
import type { NetworkPlan } from './network-plan.js';

/** The pool that machines of the cluster get their addresses from; it goes with the HostCluster. */
export async function ensureAddressPool(
  { client, sources, signal }: ReconcileContext,
  hostCluster: Frozen<HostCluster>,
  plan: NetworkPlan,
): Promise<void> {
  const { name = '', namespace = '' } = hostCluster.metadata;
  if (sources.sourceFor(inClusterIpPools).get({ namespace, name }) !== undefined) return;
  await client.create(inClusterIpPools, desiredPool(hostCluster, plan), { signal });
}

function desiredPool(hostCluster: Frozen<HostCluster>, plan: NetworkPlan): InClusterIPPool {
  const { name = '', namespace = '', labels: own } = hostCluster.metadata;
  const cluster = own?.[labels.clusterName];
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: {
      name,
      namespace,
      ...(cluster === undefined ? {} : { labels: { [labels.clusterName]: cluster } }),
      ownerReferences: [ownerReference(hostCluster, { controller: true })],
    },
    spec: { addresses: [plan.machines], prefix: plan.prefix, gateway: plan.gateway },
  };
}
