import { type Frozen, isReason } from '@slipway/kube';
import { keyOf, type ReconcileContext, ReconcileError, releaseFinalizer } from '@slipway/runtime';
import {
  globalInClusterIpPools,
  type IPAddress,
  type IPAddressClaim,
  ipAddresses,
  ipamFinalizers,
} from '../api/index.js';
import { type Address, addressText } from './address-set.js';
import type { ClaimProblem } from './claim-conditions.js';
import { addressLabel, addressLabelValue, desiredAddress } from './desired-address.js';
import { poolAddresses } from './pool-addresses.js';
import { type ObservedPool, poolId, referencedPoolId } from './pool-reference.js';
import type { Reservations } from './reservations.js';

type ObservedClaim = Frozen<IPAddressClaim>;
type ObservedAddress = Frozen<IPAddress>;

/** Gives a claim the lowest free address of its pool, or says why there is none. */
export async function allocate(
  context: ReconcileContext,
  reservations: Reservations,
  claim: ObservedClaim,
  pool: ObservedPool,
): Promise<ObservedAddress | ClaimProblem> {
  const { client, sources, signal } = context;
  const name = `${pool.kind} ${pool.metadata.name ?? ''}`;
  const addresses = poolAddresses(pool.spec);
  if ('problem' in addresses)
    return { reason: 'PoolNotReady', message: `${name} cannot be used: ${addresses.problem}; correct it` };
  const id = poolId(pool.kind, keyOf(pool));
  const key = keyOf(claim);
  const chosen = reservations.choose(id, addresses.set, sources.sourceFor(ipAddresses), key);
  if (chosen === undefined)
    return {
      reason: 'PoolExhausted',
      message: `${name} has no free address; add addresses to it, or delete claims that are not needed`,
    };
  try {
    const created = await client.create(ipAddresses, desiredAddress(claim, pool, chosen), { signal });
    await giveUpIfContested(context, id, created, chosen);
    return created;
  } catch (error) {
    reservations.release(id, key);
    if (!isReason(error, 'AlreadyExists')) throw error;
    // The cache did not know it yet: this claim has its address already.
    return client.get(ipAddresses, key, { signal });
  }
}

/**
 * Another process, one that has lost its lease or one with another share of the clusters, may have chosen the same address
 * at the same moment. Both write first and look then, so that at least one sees the other; who sees one gives up.
 */
async function giveUpIfContested(
  context: ReconcileContext,
  pool: string,
  created: ObservedAddress,
  chosen: Address,
): Promise<void> {
  const { client, signal } = context;
  const isGlobal = created.spec.poolRef.kind === globalInClusterIpPools.kind;
  const same = await client.list(ipAddresses, {
    labelSelector: `${addressLabel}=${addressLabelValue(chosen)}`,
    ...(isGlobal ? {} : { namespace: created.metadata.namespace ?? '' }),
    signal,
  });
  const other = same.items.find(
    ({ metadata, spec }) =>
      metadata.uid !== created.metadata.uid && referencedPoolId(spec.poolRef, metadata.namespace) === pool,
  );
  if (other === undefined) return;
  await removeAddress(context, created);
  const { namespace = '', name = '' } = other.metadata;
  throw new ReconcileError(
    'AllocationFailed',
    `address ${addressText(chosen)} was given to claim ${namespace}/${name} at the same moment`,
    { retry: 'now' },
  );
}

/** Takes an address back. One that is gone already is as good. */
export async function removeAddress(context: ReconcileContext, address: ObservedAddress): Promise<void> {
  const { client, signal } = context;
  try {
    await releaseFinalizer(context, ipAddresses, address, ipamFinalizers.protectAddress);
    const { uid } = address.metadata;
    await client.delete(ipAddresses, keyOf(address), { signal, ...(uid !== undefined && { preconditions: { uid } }) });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
