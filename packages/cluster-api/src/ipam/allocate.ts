import { formatIp, type Frozen, type IpAddress, isReason } from '@slipway/kube';
import { type Cause, keyOf, type ReconcileContext, ReconcileError, releaseFinalizer } from '@slipway/runtime';
import {
  globalInClusterIpPools,
  type IPAddress,
  type IPAddressClaim,
  ipAddresses,
  ipamFinalizers,
} from '../api/index.js';
import type { ClaimProblem } from './claim-conditions.js';
import { addressLabel, addressLabelValue, desiredAddress } from './desired-address.js';
import { poolAddresses } from './pool-addresses.js';
import { type ObservedPool, poolId, referencedPoolId } from './pool-reference.js';
import type { Reservations } from './reservations.js';

type ObservedClaim = Frozen<IPAddressClaim>;
type ObservedAddress = Frozen<IPAddress>;

/** Allocates the lowest free address of a pool to a claim. Returns the problem if no address is free. */
export async function allocate(
  context: ReconcileContext,
  reservations: Reservations,
  claim: ObservedClaim,
  pool: ObservedPool,
): Promise<ObservedAddress | ClaimProblem> {
  const { read, sources, signal } = context;
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
    const created = await context.change({
      verb: 'create',
      resource: ipAddresses,
      object: desiredAddress(claim, pool, chosen),
      reason: 'AddressAllocated',
      message: `Allocated ${formatIp(chosen)} of ${name} to IPAddressClaim ${key.name}`,
    });
    await giveUpIfContested(context, id, created, chosen);
    return created;
  } catch (error) {
    reservations.release(id, key);
    if (!isReason(error, 'AlreadyExists')) throw error;
    // The cache is stale: the claim already has its address.
    return read.get(ipAddresses, key, { signal });
  }
}

/**
 * Releases the address if another process (a former leader, or one with another shard) chose it concurrently. Each process writes
 * first and reads afterwards, so at least one of them observes the conflict.
 */
async function giveUpIfContested(
  context: ReconcileContext,
  pool: string,
  created: ObservedAddress,
  chosen: IpAddress,
): Promise<void> {
  const { read, signal } = context;
  const isGlobal = created.spec.poolRef.kind === globalInClusterIpPools.kind;
  const same = await read.list(ipAddresses, {
    labelSelector: `${addressLabel}=${addressLabelValue(chosen)}`,
    ...(isGlobal ? {} : { namespace: created.metadata.namespace ?? '' }),
    signal,
  });
  const other = same.items.find(
    ({ metadata, spec }) =>
      metadata.uid !== created.metadata.uid && referencedPoolId(spec.poolRef, metadata.namespace) === pool,
  );
  if (other === undefined) return;
  const why = {
    reason: 'AddressContested',
    message: `Released ${formatIp(chosen)}: it was also allocated to another claim`,
  };
  await removeAddress(context, created, why);
  const { namespace = '', name = '' } = other.metadata;
  throw new ReconcileError(
    'AllocationFailed',
    `address ${formatIp(chosen)} was also allocated to claim ${namespace}/${name}`,
    { retry: 'now' },
  );
}

/** Deletes an address. Succeeds if it does not exist. */
export async function removeAddress(
  context: Pick<ReconcileContext, 'change'>,
  address: ObservedAddress,
  cause: Cause,
): Promise<void> {
  try {
    await releaseFinalizer(context, ipAddresses, address, ipamFinalizers.protectAddress);
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    return;
  }
  const { uid } = address.metadata;
  const options = uid === undefined ? {} : { preconditions: { uid } };
  await context.change({ verb: 'delete', resource: ipAddresses, key: keyOf(address), options, ...cause });
}
