import { type Frozen, parseTime } from '@slipway/kube';
import {
  type Cause,
  done,
  edit,
  ensureOwnerReference,
  addFinalizer,
  FencedError,
  hasAnnotation,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  retry,
  wait,
} from '@slipway/runtime';
import {
  annotations,
  type IPAddress,
  type IPAddressClaim,
  ipAddressClaims,
  ipAddresses,
  ipamFinalizers,
} from '../api/index.js';
import { clusterNameOf, clusterOf } from '../reconcile/index.js';
import { openReconcile } from '../toolkit/index.js';
import { allocate, removeAddress } from './allocate.js';
import { type ClaimProblem, setClaimReady } from './claim-conditions.js';
import { addressLabels, addressOwners } from './desired-address.js';
import { findPool, type ObservedPool, referencedPoolId } from './pool-reference.js';
import type { Reservations } from './reservations.js';

type ObservedClaim = Frozen<IPAddressClaim>;
type ObservedAddress = Frozen<IPAddress>;

/** Allocates an address of an in-cluster pool to a claim, and releases it when the claim is deleted. */
export async function reconcileClaim(
  key: ObjectKey,
  context: ReconcileContext,
  reservations: Reservations,
): Promise<Outcome> {
  const { sources } = context;
  const claim = sources.sourceFor(ipAddressClaims).get(key);
  if (claim === undefined || referencedPoolId(claim.spec.poolRef, key.namespace) === undefined) return done();
  const clusterName = clusterNameOf(claim);
  const cluster = clusterOf(sources, claim);
  // Without the Cluster it is unknown whether the claim is paused. A claim that is being deleted does not wait for its Cluster,
  // which may already be deleted.
  if (clusterName !== undefined && cluster === undefined && !isDeleting(claim))
    return wait({ reason: 'WaitingForCluster', message: `Cluster ${clusterName} does not exist` });
  if (!(await openReconcile(context, ipAddressClaims, claim, { finalizer: ipamFinalizers.releaseAddress, cluster })))
    return done();
  const pool = findPool(sources, claim.spec.poolRef, key.namespace);
  if (pool !== undefined && hasAnnotation(pool, annotations.paused))
    return wait({ reason: 'PoolPaused', message: `${pool.kind} ${pool.metadata.name ?? ''} is paused` });
  if (isDeleting(claim)) return releaseClaim(context, claim, pool);
  return reportStatus(context, claim, await ensureAddress(context, reservations, claim, pool));
}

async function ensureAddress(
  context: ReconcileContext,
  reservations: Reservations,
  claim: ObservedClaim,
  pool: ObservedPool | undefined,
): Promise<ObservedAddress | ClaimProblem | Error> {
  try {
    const known = context.sources.sourceFor(ipAddresses).get(keyOf(claim));
    if (known === undefined && (pool === undefined || isDeleting(pool))) return notReady(claim, pool);
    const address =
      known ?? (pool === undefined ? notReady(claim, pool) : await allocate(context, reservations, claim, pool));
    if ('reason' in address) return address;
    return foreignTo(claim, address) ?? (await keepAddress(context, claim, pool, address));
  } catch (error) {
    if (error instanceof FencedError) throw error;
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}

function notReady(claim: ObservedClaim, pool: ObservedPool | undefined): ClaimProblem {
  const { kind, name } = claim.spec.poolRef;
  const state = pool === undefined ? 'does not exist; create it, or use another pool in the claim' : 'is being deleted';
  return { reason: 'PoolNotReady', message: `${kind} ${name} ${state}` };
}

/**
 * Returns a problem if the IPAddress with the claim's name is for another claim or pool: another provider or a user may
 * have created it.
 */
function foreignTo(claim: ObservedClaim, address: ObservedAddress): ClaimProblem | undefined {
  const { name = '', namespace } = claim.metadata;
  const { claimRef, poolRef } = address.spec;
  const own = referencedPoolId(claim.spec.poolRef, namespace);
  if (claimRef.name === name && referencedPoolId(poolRef, namespace) === own) return undefined;
  return {
    reason: 'AllocationFailed',
    message: `IPAddress ${name} already exists for claim ${claimRef.name} of ${poolRef.kind} ${poolRef.name}; delete it`,
  };
}

/**
 * Restores the owner references, labels and finalizer of an existing address. After a move, the owners have other uids, and
 * labels and the finalizer may be missing if another writer created the address.
 */
async function keepAddress(
  context: ReconcileContext,
  claim: ObservedClaim,
  pool: ObservedPool | undefined,
  address: ObservedAddress,
): Promise<ObservedAddress> {
  const after: ObservedAddress = edit(address, (draft) => {
    if (pool !== undefined) for (const owner of addressOwners(claim, pool)) ensureOwnerReference(draft.metadata, owner);
    const desired = Object.entries(addressLabels(claim));
    if (desired.some(([label, value]) => draft.metadata.labels?.[label] !== value))
      draft.metadata.labels = { ...draft.metadata.labels, ...Object.fromEntries(desired) };
    // An address that is being deleted stays until its claim is deleted, but cannot get a new finalizer.
    if (!isDeleting(address)) addFinalizer(draft.metadata, ipamFinalizers.protectAddress);
  });
  const message = `Set the owners and labels of IPAddress ${address.metadata.name ?? ''}`;
  return context.change({ verb: 'patch', resource: ipAddresses, before: address, after, reason: 'Adopted', message });
}

async function reportStatus(
  context: ReconcileContext,
  claim: ObservedClaim,
  result: ObservedAddress | ClaimProblem | Error,
): Promise<Outcome> {
  const problem = problemOf(result);
  const after: ObservedClaim = edit(claim, (draft) => {
    setClaimReady(draft, problem, context.clock.now());
    if (problem === undefined && 'spec' in result)
      draft.status = { ...draft.status, addressRef: { name: result.metadata.name ?? '' } };
  });
  await context.change({
    verb: 'status',
    resource: ipAddressClaims,
    before: claim,
    after,
    ownedConditions: ['Ready', 'Paused'],
    ...(problem ?? allocatedCause(result)),
  });
  if (result instanceof Error) return retry(result);
  return problem === undefined ? done() : wait(problem);
}

function allocatedCause(result: ObservedAddress | ClaimProblem | Error): Cause {
  const address = 'spec' in result ? result.spec.address : '';
  return { reason: 'AddressAllocated', message: `Address ${address} is allocated` };
}

function problemOf(result: ObservedAddress | ClaimProblem | Error): ClaimProblem | undefined {
  if (result instanceof Error) return { reason: 'AllocationFailed', message: result.message };
  return 'reason' in result ? result : undefined;
}

async function releaseClaim(
  context: ReconcileContext,
  claim: ObservedClaim,
  pool: ObservedPool | undefined,
): Promise<Outcome> {
  const { sources, clock } = context;
  const restMs = restOf(claim, pool, clock.now());
  if (restMs > 0)
    // No watch reports the end of the grace period.
    return wait({ ms: restMs, reason: 'AddressRests', message: 'The address is released after its grace period' });
  const key = keyOf(claim);
  const address = sources.sourceFor(ipAddresses).get(key);
  if (address !== undefined && foreignTo(claim, address) === undefined) {
    const message = `Released ${address.spec.address}: IPAddressClaim ${key.name} is deleted`;
    await removeAddress(context, address, { reason: 'ClaimDeleted', message });
  }
  await releaseFinalizer(context, ipAddressClaims, claim, ipamFinalizers.releaseAddress);
  return done();
}

/**
 * Returns the rest of the grace period before the address may be reused, in milliseconds. Zero if the pool is being deleted: it
 * allocates no more addresses.
 */
function restOf(claim: ObservedClaim, pool: ObservedPool | undefined, nowMs: number): number {
  const { deletionTimestamp } = claim.metadata;
  const graceSeconds = pool === undefined || isDeleting(pool) ? 0 : (pool.spec?.addressReuseGracePeriodSeconds ?? 0);
  return typeof deletionTimestamp === 'string' ? parseTime(deletionTimestamp) + graceSeconds * 1000 - nowMs : 0;
}
