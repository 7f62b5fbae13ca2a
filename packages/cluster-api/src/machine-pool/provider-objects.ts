import { type Frozen, isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  edit,
  ensureOwnerReference,
  ownerReference,
  patchObject,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { labels, machinePools } from '../api/index.js';
import { followReference, mapToReferrer, type ObjectReference, type ProviderState, textAt } from '../contract/index.js';
import { changePool, type PoolPass, poolReferences, statusOf } from './pool-pass.js';

/** Reads an object of a provider that the pool refers to, and makes it the pool's own. */
export async function readProviderObject(pass: PoolPass, reference: ObjectReference): Promise<ProviderState> {
  const { context, pool } = pass;
  const namespace = pool.metadata.namespace ?? '';
  const map = mapToReferrer(context.sources, machinePools, poolReferences);
  const { kind, object } = await followReference(context, reference, namespace, machinePools as Resource, map);
  const key = { namespace, name: reference.name };
  // The cache may not know yet of what was just made; whoever deletes must not take that for gone.
  const found = object ?? (await getIfPresent(pass, kind.resource, key));
  if (found === undefined) return { type: 'missing' };
  const owned = await claim(pass, kind.resource, found);
  copyFailure(pass, owned);
  return { type: 'found', kind, object: owned };
}

async function getIfPresent(
  { context }: PoolPass,
  resource: Resource,
  key: { readonly namespace: string; readonly name: string },
): Promise<Frozen<KubeObject> | undefined> {
  try {
    return await context.client.get(resource, key, { signal: context.signal });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function claim(
  { context, pool }: PoolPass,
  resource: Resource,
  object: Frozen<KubeObject>,
): Promise<Frozen<KubeObject>> {
  let owned: Frozen<KubeObject>;
  try {
    owned = edit(object, ({ metadata }) => {
      ensureOwnerReference(metadata, ownerReference(pool, { controller: true }));
      metadata.labels = { ...metadata.labels, [labels.clusterName]: pool.spec.clusterName };
    });
  } catch (error) {
    const what = `${object.kind} ${object.metadata.name ?? ''}`;
    throw new ReconcileError('AlreadyControlled', `${what} belongs to somebody else: ${String(error)}`, {
      retry: 'later',
      remedy: 'let each MachinePool refer to an object of its own',
      cause: error,
    });
  }
  return patchObject(context.client, resource, object, owned, { signal: context.signal });
}

/** Kept for clients of v1beta1: nothing is decided by it any more. */
function copyFailure(pass: PoolPass, object: Frozen<KubeObject>): void {
  const reason = textAt(object, 'status', 'failureReason');
  const message = textAt(object, 'status', 'failureMessage');
  if (reason === undefined && message === undefined) return;
  const { group, version } = parseApiVersion(object.apiVersion);
  const what = `${group}/${version}, Kind=${object.kind} with name "${object.metadata.name ?? ''}"`;
  setFailure(pass, reason, message && `Failure detected from referenced resource ${what}: ${message}`);
}

export function setFailure(pass: PoolPass, reason: string | undefined, message: string | undefined): void {
  changePool(pass, (draft) => {
    const status = statusOf(draft);
    const v1beta1 = { ...status.deprecated?.v1beta1 };
    if (reason !== undefined) v1beta1.failureReason = reason;
    if (message !== undefined) v1beta1.failureMessage = message;
    status.deprecated = { ...status.deprecated, v1beta1 };
  });
}
