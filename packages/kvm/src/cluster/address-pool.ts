import { type InClusterIPPool, inClusterIpPools, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ownerReference, type ReconcileContext } from '@slipway/runtime';
import type { KVMCluster } from '../api/index.js';
import { poolOf } from '../machine/address.js';

/** The pool that machines of the cluster get their addresses from; it goes with the KVMCluster, and moves with it. */
export async function ensureAddressPool(
  { client, sources, signal }: ReconcileContext,
  kvmCluster: Frozen<KVMCluster>,
): Promise<void> {
  const { name = '', namespace = '' } = kvmCluster.metadata;
  if (sources.sourceFor(inClusterIpPools).get({ namespace, name }) !== undefined) return;
  await client.create(inClusterIpPools, desiredPool(kvmCluster), { signal });
}

function desiredPool(kvmCluster: Frozen<KVMCluster>): InClusterIPPool {
  const { name = '', namespace = '', labels: own } = kvmCluster.metadata;
  const cluster = own?.[labels.clusterName];
  const { range, prefix } = poolOf(kvmCluster);
  const { network, controlPlaneExposure, controlPlaneEndpoint } = kvmCluster.spec ?? {};
  const taken = [controlPlaneExposure?.vip, controlPlaneEndpoint?.host].filter(isAddress);
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: {
      name,
      namespace,
      ...(cluster === undefined ? {} : { labels: { [labels.clusterName]: cluster } }),
      ownerReferences: [ownerReference(kvmCluster, { controller: true })],
    },
    spec: {
      addresses: [range],
      prefix,
      ...(network?.gateway !== undefined && { gateway: network.gateway }),
      ...(taken.length > 0 && { excludedAddresses: [...new Set(taken)] }),
    },
  };
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^[0-9.]+$|:/.test(text);
}
