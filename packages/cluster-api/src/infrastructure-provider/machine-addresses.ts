import type { Frozen, KubeObject } from '@slipway/kube';
import { ownerReference, type ReconcileContext } from '@slipway/runtime';
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
type AddressContext = Pick<ReconcileContext, 'sources' | 'change'>;
type PoolReference = IPAddressClaim['spec']['poolRef'];

/**
 * Creates the address pool for the machines of a cluster. The infrastructure cluster owns the pool, so that they are deleted and
 * moved together.
 */
export async function ensureAddressPool(
  context: AddressContext,
  infrastructureCluster: Owner,
  spec: InClusterIPPool['spec'],
): Promise<void> {
  const { name = '', namespace = '' } = infrastructureCluster.metadata;
  if (context.sources.sourceFor(inClusterIpPools).get({ namespace, name }) !== undefined) return;
  const pool: InClusterIPPool = {
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: ownedMetadata(infrastructureCluster),
    spec,
  };
  await context.change({
    verb: 'create',
    resource: inClusterIpPools,
    object: pool,
    reason: 'AddressPoolMissing',
    message: `Created InClusterIPPool ${name} for the addresses of the cluster's machines`,
  });
}

/** Returns the reference to the pool that `ensureAddressPool` creates. */
export function addressPoolOf({ metadata }: Pick<Owner, 'metadata'>): PoolReference {
  return { apiGroup: inClusterIpPools.group, kind: inClusterIpPools.kind, name: metadata.name ?? '' };
}

export interface ClaimedAddress {
  readonly address?: Frozen<IPAddress>;
  /** Why there is no address yet, if the IPAM provider reported it. */
  readonly problem?: { readonly reason: string; readonly message: string };
}

/** Returns the address of an infrastructure machine. Creates its claim if there is none; the address is allocated later. */
export async function claimAddress(
  context: AddressContext,
  infrastructureMachine: Owner,
  poolRef: PoolReference,
): Promise<ClaimedAddress> {
  const { namespace = '', name = '' } = infrastructureMachine.metadata;
  const { sources } = context;
  const claim = sources.sourceFor(ipAddressClaims).get({ namespace, name });
  if (claim === undefined) {
    await context.change({
      verb: 'create',
      resource: ipAddressClaims,
      object: desiredClaim(infrastructureMachine, poolRef),
      reason: 'AddressNeeded',
      message: `Claimed an address of ${poolRef.kind} ${poolRef.name} for ${infrastructureMachine.kind} ${name}`,
    });
    return {};
  }
  const addressName = claim.status?.addressRef?.name ?? '';
  const address = sources.sourceFor(ipAddresses).get({ namespace, name: addressName });
  if (address !== undefined) return { address };
  const failed = claim.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'False');
  return failed === undefined ? {} : { problem: { reason: failed.reason, message: failed.message ?? '' } };
}

/**
 * Deletes the claim of a machine. Call it after the machine was deleted, because the address may be reused immediately.
 */
export async function releaseAddress(
  context: Pick<ReconcileContext, 'change'>,
  { metadata }: Pick<Owner, 'metadata'>,
): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  const message = `Deleted IPAddressClaim ${name}: its machine is deleted`;
  const key = { namespace, name };
  await context.change({ verb: 'delete', resource: ipAddressClaims, key, reason: 'MachineDeleted', message });
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
