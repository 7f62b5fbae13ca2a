import type { Frozen, KubeObject } from '@slipway/kube';
import { ifPresent, ownerReference, type ReconcileContext } from '@slipway/runtime';
import {
  type InClusterIPPool,
  inClusterIpPools,
  type IPAddress,
  type IPAddressClaim,
  ipAddressClaims,
  ipAddresses,
  labels,
} from '../api/index.js';

type Owner = Pick<Frozen<KubeObject>, 'apiVersion' | 'kind' | 'metadata'>;
type PoolReference = IPAddressClaim['spec']['poolRef'];

/** The pool that machines of a cluster get their addresses from; it goes with the infrastructure cluster, and moves with it. */
export async function ensureAddressPool(
  { client, sources, signal }: ReconcileContext,
  infrastructureCluster: Owner,
  spec: InClusterIPPool['spec'],
): Promise<void> {
  const { name = '', namespace = '' } = infrastructureCluster.metadata;
  if (sources.sourceFor(inClusterIpPools).get({ namespace, name }) !== undefined) return;
  const pool: InClusterIPPool = {
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: ownedMetadata(infrastructureCluster),
    spec,
  };
  await client.create(inClusterIpPools, pool, { signal });
}

/** The pool that `ensureAddressPool` makes. */
export function addressPoolOf({ metadata }: Pick<Owner, 'metadata'>): PoolReference {
  return { apiGroup: inClusterIpPools.group, kind: inClusterIpPools.kind, name: metadata.name ?? '' };
}

export interface ClaimedAddress {
  readonly address?: Frozen<IPAddress>;
  /** Why there is none yet, if whoever gives addresses out has said so. */
  readonly problem?: { readonly reason: string; readonly message: string };
}

/** The address that an infrastructure machine has; asks for one if it has not, and then there is none yet. */
export async function claimAddress(
  { client, sources, signal }: ReconcileContext,
  infrastructureMachine: Owner,
  poolRef: PoolReference,
): Promise<ClaimedAddress> {
  const { namespace = '', name = '' } = infrastructureMachine.metadata;
  const claim = sources.sourceFor(ipAddressClaims).get({ namespace, name });
  if (claim === undefined) {
    await client.create(ipAddressClaims, desiredClaim(infrastructureMachine, poolRef), { signal });
    return {};
  }
  const addressName = claim.status?.addressRef?.name ?? '';
  const address = sources.sourceFor(ipAddresses).get({ namespace, name: addressName });
  if (address !== undefined) return { address };
  const failed = claim.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'False');
  return failed === undefined ? {} : { problem: { reason: failed.reason, message: failed.message ?? '' } };
}

/** After the machine is gone: another one may have the address at once. */
export async function releaseAddress(context: ReconcileContext, { metadata }: Pick<Owner, 'metadata'>): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  await ifPresent(context.client.delete(ipAddressClaims, { namespace, name }, { signal: context.signal }));
}

function desiredClaim(infrastructureMachine: Owner, poolRef: PoolReference): IPAddressClaim {
  const clusterName = infrastructureMachine.metadata.labels?.[labels.clusterName];
  return {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: 'IPAddressClaim',
    metadata: ownedMetadata(infrastructureMachine),
    spec: { ...(clusterName !== undefined && { clusterName }), poolRef },
  };
}

function ownedMetadata(owner: Owner): KubeObject['metadata'] {
  const { namespace = '', name = '', labels: own } = owner.metadata;
  const clusterName = own?.[labels.clusterName];
  return {
    name,
    namespace,
    ...(clusterName !== undefined && { labels: { [labels.clusterName]: clusterName } }),
    ownerReferences: [ownerReference(owner, { controller: true })],
  };
}
