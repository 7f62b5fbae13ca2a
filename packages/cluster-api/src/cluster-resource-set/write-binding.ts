import { cloneJson, isReason, type JsonValue, type MutableJsonObject, type OwnerReference } from '@slipway/kube';
import {
  type Change,
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
import { type ClusterResourceSet, type ClusterResourceSetBinding, clusterResourceSetBindings } from '../api/index.js';
import { entryOf, type ObservedBinding, type ResourceEntry, withoutSet, withResults } from './binding.js';

type BindingContext = Pick<ReconcileContext, 'read' | 'change' | 'signal'>;
type ObservedSet = Frozen<ClusterResourceSet>;

const attemptsMax = 5;

/**
 * Records the results of a set's resources for one cluster. Several sets write to the same binding, so the patch contains the
 * resourceVersion that it was computed from.
 */
export async function recordResults(
  context: BindingContext,
  set: ObservedSet,
  cluster: ObjectKey,
  known: ObservedBinding | undefined,
  results: readonly ResourceEntry[],
): Promise<void> {
  if (known !== undefined && results.length === 0 && isRecorded(known, set)) return;
  const name = set.metadata.name ?? '';
  const message = `Recorded the resources of ClusterResourceSet ${name} in the binding of Cluster ${cluster.name}`;
  let binding = known ?? (await getOrCreate(context, set, cluster));
  for (let attempt = 1; ; attempt += 1) {
    const bindings = withResults(binding.spec.bindings ?? [], name, results);
    const patch: MutableJsonObject = {
      metadata: {
        resourceVersion: binding.metadata.resourceVersion ?? '',
        ownerReferences: owners(binding, set) as unknown as MutableJsonObject[],
      },
      spec: { bindings: cloneJson(bindings) as unknown as MutableJsonObject[] },
    };
    try {
      await context.change({
        verb: 'patch',
        resource: clusterResourceSetBindings,
        key: cluster,
        body: { type: 'merge', patch },
        reason: results.length === 0 ? 'ClusterSelected' : 'ResultsRecorded',
        message,
      });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) binding = await getOrCreate(context, set, cluster);
      else if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      else binding = await context.read.get(clusterResourceSetBindings, cluster, { signal: context.signal });
      if (attempt >= attemptsMax) throw error;
    }
  }
}

function isRecorded(binding: ObservedBinding, set: ObservedSet): boolean {
  return isOwnedBy(binding, set) && entryOf(binding, set.metadata.name ?? '') !== undefined;
}

function owners(binding: ObservedBinding, set: ObservedSet): OwnerReference[] {
  const desired = ownerReference(set);
  const others = (binding.metadata.ownerReferences ?? []).filter((reference) => !isSameOwner(reference, desired));
  return [...(others as OwnerReference[]), desired];
}

async function getOrCreate(context: BindingContext, set: ObservedSet, cluster: ObjectKey): Promise<ObservedBinding> {
  const object: ClusterResourceSetBinding = {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSetBinding',
    metadata: { name: cluster.name, namespace: cluster.namespace, ownerReferences: [ownerReference(set)] },
    spec: { clusterName: cluster.name },
  };
  const message = `Created ClusterResourceSetBinding ${cluster.name}: ClusterResourceSet ${set.metadata.name ?? ''} selects the Cluster`;
  try {
    return await context.change({
      verb: 'create',
      resource: clusterResourceSetBindings,
      object,
      reason: 'ClusterSelected',
      message,
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
    return context.read.get(clusterResourceSetBindings, cluster, { signal: context.signal });
  }
}

/** Removes a set from a binding. Deletes the binding if it was the last set. */
export async function leaveBinding(context: BindingContext, set: ObservedSet, known: ObservedBinding): Promise<void> {
  const { read, signal } = context;
  const key = keyOf(known);
  for (let attempt = 1, binding = known; ; attempt += 1) {
    try {
      await context.change(leavingChange(set, binding));
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      const latest = await ifPresent(read.get(clusterResourceSetBindings, key, { signal }));
      if (latest === undefined) return;
      binding = latest;
    }
  }
}

function leavingChange(set: ObservedSet, binding: ObservedBinding): Change {
  const { name: setName = '' } = set.metadata;
  const bindings = withoutSet(binding.spec.bindings ?? [], setName);
  const { resourceVersion = '' } = binding.metadata;
  const target = { resource: clusterResourceSetBindings, key: keyOf(binding), reason: 'ResourceSetDeleted' };
  const what = `ClusterResourceSetBinding ${target.key.name}`;
  if (bindings.length === 0) {
    const message = `Deleted ${what}: its last ClusterResourceSet ${setName} is deleted`;
    return { verb: 'delete', ...target, options: { preconditions: { resourceVersion } }, message };
  }
  const message = `Removed ClusterResourceSet ${setName} from ${what}`;
  return { verb: 'patch', ...target, body: leavingPatch(binding, set, bindings), message };
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
