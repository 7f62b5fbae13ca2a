import { ownerReference } from '@slipway/runtime';
import { machinePools } from '../api/index.js';
import {
  claimReference,
  failureOf,
  mapToReferrer,
  noteFailure,
  type ObjectReference,
  type ProviderFailure,
  type ProviderState,
} from '../contract/index.js';
import { changePool, type PoolPass, poolReferences, statusOf } from './pool-pass.js';

/** Reads an object of a provider that the pool refers to, and makes it the pool's own. */
export async function readProviderObject(pass: PoolPass, reference: ObjectReference): Promise<ProviderState> {
  const { context, pool } = pass;
  const state = await claimReference(context, {
    reference,
    namespace: pool.metadata.namespace ?? '',
    resource: machinePools,
    map: mapToReferrer(context.sources, machinePools, poolReferences),
    owner: ownerReference(pool, { controller: true }),
    clusterName: pool.spec.clusterName,
  });
  const failure = state.type === 'found' ? failureOf(state.object) : undefined;
  if (failure !== undefined) setFailure(pass, failure);
  return state;
}

export function setFailure(pass: PoolPass, failure: ProviderFailure): void {
  changePool(pass, (draft) => noteFailure(statusOf(draft), failure));
}
