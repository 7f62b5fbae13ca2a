import {
  inClusterIpPools,
  type IPAddress,
  type IPAddressClaim,
  ipAddressClaims,
  ipAddresses,
  labels,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { ifPresent, ownerReference, type ReconcileContext } from '@slipway/runtime';
import type { KVMCluster, KVMMachine } from '../api/index.js';
import { networkModeOf, segmentDefaults } from './network-plan.js';

/** Whether machines of the cluster get addresses from us; otherwise from whoever runs their network. */
export function allocatesAddresses(kvmCluster: Frozen<KVMCluster>, backend: 'local' | 'pod'): boolean {
  const mode = networkModeOf(kvmCluster, backend);
  const { cidr, ipRange, ipPoolRef } = kvmCluster.spec?.network ?? {};
  if (mode === 'segment') return true;
  return mode === 'bridge' && (cidr !== undefined || ipRange !== undefined || ipPoolRef !== undefined);
}

/** Which addresses the pool of a cluster gives out, and how long their prefix is. */
export function poolOf({ spec }: Pick<Frozen<KVMCluster>, 'spec'>): { range: string; prefix: number } {
  const { cidr, ipRange } = spec?.network ?? {};
  const network = cidr ?? segmentDefaults.cidr;
  const range = ipRange ?? (cidr === undefined ? segmentDefaults.range : cidr);
  return { range, prefix: Number(network.split('/')[1] ?? '24') };
}

/** The address that the machine has; asks for one if it has not, and then there is none yet. */
export async function claimAddress(
  { client, sources, signal }: ReconcileContext,
  kvmMachine: Frozen<KVMMachine>,
  kvmCluster: Frozen<KVMCluster>,
): Promise<Frozen<IPAddress> | undefined> {
  const { namespace = '', name = '' } = kvmMachine.metadata;
  const claim = sources.sourceFor(ipAddressClaims).get({ namespace, name });
  if (claim === undefined) {
    await client.create(ipAddressClaims, desiredClaim(kvmMachine, kvmCluster), { signal });
    return undefined;
  }
  const addressName = claim.status?.addressRef?.name;
  return addressName === undefined ? undefined : sources.sourceFor(ipAddresses).get({ namespace, name: addressName });
}

/** After the machine is gone: another one may have the address at once. */
export async function releaseAddress(context: ReconcileContext, kvmMachine: Frozen<KVMMachine>): Promise<void> {
  const { namespace = '', name = '' } = kvmMachine.metadata;
  const claim = context.sources.sourceFor(ipAddressClaims).get({ namespace, name });
  if (claim === undefined) return;
  await ifPresent(context.client.delete(ipAddressClaims, { namespace, name }, { signal: context.signal }));
}

function desiredClaim(kvmMachine: Frozen<KVMMachine>, kvmCluster: Frozen<KVMCluster>): IPAddressClaim {
  const { namespace = '', name = '', labels: own } = kvmMachine.metadata;
  const cluster = own?.[labels.clusterName];
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: 'IPAddressClaim',
    metadata: {
      name,
      namespace,
      ...(cluster === undefined ? {} : { labels: { [labels.clusterName]: cluster } }),
      ownerReferences: [ownerReference(kvmMachine, { controller: true })],
    },
    spec: {
      ...(cluster === undefined ? {} : { clusterName: cluster }),
      poolRef: kvmCluster.spec?.network?.ipPoolRef ?? {
        apiGroup: inClusterIpPools.group,
        kind: inClusterIpPools.kind,
        name: kvmCluster.metadata.name ?? '',
      },
    },
  };
}
