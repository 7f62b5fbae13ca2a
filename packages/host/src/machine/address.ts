import {
  type IPAddress,
  type IPAddressClaim,
  ipAddressClaims,
  ipAddresses,
  inClusterIpPools,
  labels,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ifPresent, ownerReference, type ReconcileContext } from '@slipway/runtime';
import type { HostCluster, HostMachine } from '../api/index.js';

/** The address that the machine has; asks for one if it has not, and then there is none yet. */
export async function claimAddress(
  { client, sources, signal }: ReconcileContext,
  hostMachine: Frozen<HostMachine>,
  hostCluster: Frozen<HostCluster>,
): Promise<Frozen<IPAddress> | undefined> {
  const { namespace = '', name = '' } = hostMachine.metadata;
  const claim = sources.sourceFor(ipAddressClaims).get({ namespace, name });
  if (claim === undefined) {
    await client.create(ipAddressClaims, desiredClaim(hostMachine, hostCluster), { signal });
    return undefined;
  }
  const addressName = claim.status?.addressRef?.name;
  return addressName === undefined ? undefined : sources.sourceFor(ipAddresses).get({ namespace, name: addressName });
}

export async function releaseAddress(context: ReconcileContext, hostMachine: Frozen<HostMachine>): Promise<void> {
  const { namespace = '', name = '' } = hostMachine.metadata;
  await ifPresent(context.client.delete(ipAddressClaims, { namespace, name }, { signal: context.signal }));
}

function desiredClaim(hostMachine: Frozen<HostMachine>, hostCluster: Frozen<HostCluster>): IPAddressClaim {
  const { namespace = '', name = '', labels: own } = hostMachine.metadata;
  const cluster = own?.[labels.clusterName];
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: 'IPAddressClaim',
    metadata: {
      name,
      namespace,
      ...(cluster === undefined ? {} : { labels: { [labels.clusterName]: cluster } }),
      ownerReferences: [ownerReference(hostMachine, { controller: true })],
    },
    spec: {
      ...(cluster === undefined ? {} : { clusterName: cluster }),
      poolRef: {
        apiGroup: inClusterIpPools.group,
        kind: inClusterIpPools.kind,
        name: hostCluster.metadata.name ?? '',
      },
    },
  };
}
