import type { Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  keyOf,
  mapToSelf,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import {
  clusters,
  type GlobalInClusterIPPool,
  globalInClusterIpPools,
  type InClusterIPPool,
  inClusterIpPools,
  type IPAddress,
  type IPAddressClaim,
  ipAddressClaims,
  ipAddresses,
} from '../api/index.js';
import { claimClusterIndex, poolId, referencedPoolId, waitingClaimIndex } from './pool-reference.js';
import { reconcileClaim } from './reconcile-claim.js';
import { reconcilePool } from './reconcile-pool.js';
import { Reservations } from './reservations.js';

/** Allocates addresses of in-cluster pools to claims. */
export function createIpAddressClaimController(context: ControllerContext): Controller {
  const { sources, clock, concurrency, watchFilter } = context;
  const reservations = new Reservations(clock);
  return createController<IPAddressClaim>({
    name: 'ipaddressclaim',
    for: ipAddressClaims,
    filter: watchFilter,
    concurrency,
    watches: [
      // An address has the name of its claim.
      { resource: ipAddresses, map: mapToSelf },
      // A released address can be allocated to waiting claims.
      watch(ipAddresses, {
        map: (address) => waitingFor(sources, referencedPoolId(address.spec.poolRef, address.metadata.namespace)),
        filter: (change) => change.type === 'deleted',
      }),
      ...[inClusterIpPools, globalInClusterIpPools].map((pools) => ({
        resource: pools,
        map: (pool: { readonly kind: string; readonly metadata: Frozen<InClusterIPPool>['metadata'] }) =>
          waitingFor(sources, poolId(pools.kind, keyOf(pool))),
      })),
      watch(clusters, {
        map: (cluster) => claimsOf(sources, keyOf(cluster)),
        filter: ({ object, previous }) => object.spec?.paused !== previous?.spec?.paused || previous === undefined,
      }),
    ],
    reconcile: (key, reconcileContext) => reconcileClaim(key, reconcileContext, reservations),
  });
}

function waitingFor(sources: Sources, pool: string | undefined): ObjectKey[] {
  if (pool === undefined) return [];
  return sources.sourceFor(ipAddressClaims).byIndex(waitingClaimIndex, pool).map(keyOf);
}

function claimsOf(sources: Sources, cluster: ObjectKey): ObjectKey[] {
  const value = `${cluster.namespace}/${cluster.name}`;
  return sources.sourceFor(ipAddressClaims).byIndex(claimClusterIndex, value).map(keyOf);
}

export function createInClusterIpPoolController(context: ControllerContext): Controller {
  return createController<InClusterIPPool>({
    name: 'inclusterippool',
    for: inClusterIpPools,
    filter: context.watchFilter,
    concurrency: context.concurrency,
    watches: [watch(ipAddresses, { map: (address) => poolOf(address, inClusterIpPools.kind) })],
    reconcile: (key, reconcileContext) => reconcilePool(inClusterIpPools, key, reconcileContext),
  });
}

export function createGlobalInClusterIpPoolController(context: ControllerContext): Controller {
  return createController<GlobalInClusterIPPool>({
    name: 'globalinclusterippool',
    for: globalInClusterIpPools,
    filter: context.watchFilter,
    concurrency: context.concurrency,
    watches: [watch(ipAddresses, { map: (address) => poolOf(address, globalInClusterIpPools.kind) })],
    // Handles both kinds of pools: they differ only in name and scope.
    reconcile: (key, reconcileContext) =>
      reconcilePool(globalInClusterIpPools as unknown as typeof inClusterIpPools, key, reconcileContext),
  });
}

function poolOf({ metadata, spec }: Frozen<IPAddress>, kind: string): ObjectKey[] {
  const { poolRef } = spec;
  if (poolRef.kind !== kind || poolRef.apiGroup !== inClusterIpPools.group) return [];
  const namespace = kind === globalInClusterIpPools.kind ? '' : (metadata.namespace ?? '');
  return [{ namespace, name: poolRef.name }];
}
