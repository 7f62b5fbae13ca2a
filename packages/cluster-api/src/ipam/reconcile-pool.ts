import type { Frozen, KubeObject } from '@slipway/kube';
import {
  done,
  edit,
  ensureFinalizer,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  wait,
} from '@slipway/runtime';
import { type InClusterIPPool, ipAddresses, ipamFinalizers } from '../api/index.js';
import { storedAddress } from './address-set.js';
import { countPool, poolAddresses } from './pool-addresses.js';
import { addressPoolIndex, poolId } from './pool-reference.js';

/** Counts the allocated addresses of a pool. Blocks the deletion of the pool while there are any. */
export async function reconcilePool(
  pools: Resource<InClusterIPPool>,
  key: ObjectKey,
  context: ReconcileContext,
): Promise<Outcome> {
  const { sources, events } = context;
  const pool = sources.sourceFor(pools).get(key);
  if (pool === undefined) return done();
  const { changed } = await ensureFinalizer(context, pools, pool, ipamFinalizers.protectPool);
  if (changed) return done();
  const addresses = sources.sourceFor(ipAddresses).byIndex(addressPoolIndex, poolId(pools.kind, key));
  if (isDeleting(pool) && addresses.length === 0) {
    await releaseFinalizer(context, pools, pool, ipamFinalizers.protectPool);
    return done();
  }
  const given = poolAddresses(pool.spec);
  if ('set' in given) {
    const counts = countPool(given.set, addresses.map(storedAddress));
    const after: Frozen<InClusterIPPool> = edit(pool, (draft) => {
      draft.status = { ...draft.status, ipAddresses: counts };
    });
    const cause = { reason: 'StatusUpdated', message: 'Updated status' };
    await context.change({ verb: 'status', resource: pools, before: pool, after, ...cause });
  }
  if (!isDeleting(pool)) return done();
  const [first] = addresses.map((address) => keyOf(address)).map(({ namespace, name }) => `${namespace}/${name}`);
  const message = `${addresses.length} addresses are in use, including ${first ?? ''}: delete their IPAddressClaims first`;
  events.record(pool as Frozen<KubeObject>, { type: 'Warning', reason: 'PoolInUse', action: 'Delete', message });
  return wait({ reason: 'PoolInUse', message });
}
