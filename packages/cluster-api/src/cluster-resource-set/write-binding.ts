import { cloneJson, isReason, type JsonValue, type MutableJsonObject, type OwnerReference } from '@slipway/kube';
import {
  ifPresent,
  isOwnedBy,
  isSameOwner,
  keyOf,
  type ObjectKey,
  ownerReference,
  type ReconcileContext,
  removeOwnerReference,
} from '@slipway/runtime';
import type { Frozen } from '@slipway/kube';
import { type ClusterResourceSet, clusterResourceSetBindings } from '../api/index.js';
import { entryOf, type ObservedBinding, type ResourceEntry, withoutSet, withResults } from './binding.js';

type Writer = Pick<ReconcileContext, 'client' | 'signal'>;
type ObservedSet = Frozen<ClusterResourceSet>;

const attemptsMax = 5;

/** Notes what came of a set's resources on a cluster. Several sets share a binding: the list is sent with its version. */
export async function recordResults(
  context: Writer,
  set: ObservedSet,
  cluster: ObjectKey,
  known: ObservedBinding | undefined,
  results: readonly ResourceEntry[],
): Promise<void> {
  if (known !== undefined && results.length === 0 && isRecorded(known, set)) return;
  const { client, signal } = context;
  let binding = known ?? (await getOrCreate(context, set, cluster));
  for (let attempt = 1; ; attempt += 1) {
    const bindings = withResults(binding.spec.bindings ?? [], set.metadata.name ?? '', results);
    const patch: MutableJsonObject = {
      metadata: {
        resourceVersion: binding.metadata.resourceVersion ?? '',
        ownerReferences: owners(binding, set) as unknown as MutableJsonObject[],
      },
      spec: { bindings: cloneJson(bindings) as unknown as MutableJsonObject[] },
    };
    try {
      await client.patch(clusterResourceSetBindings, cluster, { type: 'merge', patch }, { signal });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) binding = await getOrCreate(context, set, cluster);
      else if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      else binding = await client.get(clusterResourceSetBindings, cluster, { signal });
      if (attempt >= attemptsMax) throw error;
    }
  }
}

function isRecorded(binding: ObservedBinding, set: ObservedSet): boolean {
  return isOwnedBy(binding, set) && entryOf(binding, set.metadata.name ?? '') !== undefined;
}

function owners(binding: ObservedBinding, set: ObservedSet): OwnerReference[] {
  const wanted = ownerReference(set);
  const others = (binding.metadata.ownerReferences ?? []).filter((reference) => !isSameOwner(reference, wanted));
  return [...(others as OwnerReference[]), wanted];
}

async function getOrCreate(context: Writer, set: ObservedSet, cluster: ObjectKey): Promise<ObservedBinding> {
  const { client, signal } = context;
  try {
    return await client.create(
      clusterResourceSetBindings,
      {
        apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
        kind: 'ClusterResourceSetBinding',
        metadata: { name: cluster.name, namespace: cluster.namespace, ownerReferences: [ownerReference(set)] },
        spec: { clusterName: cluster.name },
      },
      { signal },
    );
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return client.get(clusterResourceSetBindings, cluster, { signal });
  }
}

/** Takes a set out of a binding; a binding that no set needs goes. */
export async function leaveBinding(context: Writer, set: ObservedSet, known: ObservedBinding): Promise<void> {
  const { client, signal } = context;
  const key = keyOf(known);
  for (let attempt = 1, binding = known; ; attempt += 1) {
    const bindings = withoutSet(binding.spec.bindings ?? [], set.metadata.name ?? '');
    const { resourceVersion = '' } = binding.metadata;
    try {
      if (bindings.length === 0)
        await client.delete(clusterResourceSetBindings, key, { signal, preconditions: { resourceVersion } });
      else await client.patch(clusterResourceSetBindings, key, leavingPatch(binding, set, bindings), { signal });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      const latest = await findBinding(context, key);
      if (latest === undefined) return;
      binding = latest;
    }
  }
}

function leavingPatch(
  binding: ObservedBinding,
  set: ObservedSet,
  bindings: unknown,
): { readonly type: 'merge'; readonly patch: MutableJsonObject } {
  const metadata = { ownerReferences: [...(binding.metadata.ownerReferences ?? [])] as OwnerReference[] };
  removeOwnerReference(metadata, ownerReference(set));
  const { resourceVersion = '' } = binding.metadata;
  const ownerReferences = metadata.ownerReferences as unknown as MutableJsonObject[];
  return {
    type: 'merge',
    patch: {
      metadata: { resourceVersion, ownerReferences },
      spec: { bindings: cloneJson(bindings as JsonValue) as MutableJsonObject[] },
    },
  };
}

function findBinding(context: Writer, key: ObjectKey): Promise<ObservedBinding | undefined> {
  return ifPresent(context.client.get(clusterResourceSetBindings, key, { signal: context.signal }));
}
