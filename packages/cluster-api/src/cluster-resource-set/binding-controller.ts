import { type Frozen, parseApiVersion } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  isDeleting,
  mapToSelf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  watch,
} from '@slipway/runtime';
import {
  annotations,
  type ClusterResourceSetBinding,
  clusterResourceSetBindings,
  clusters,
  runtimeAnnotations,
} from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';

/** Deletes ClusterResourceSetBindings together with their Cluster. */
export function createClusterResourceSetBindingController(context: ControllerContext): Controller {
  const { concurrency, watchFilter, featureGates } = context;
  const open = new Map(featureGates.entries());
  const waitsForHook = open.get('RuntimeSDK') === true && open.get('ClusterTopology') === true;
  return createController<ClusterResourceSetBinding>({
    name: 'clusterresourcesetbinding',
    for: clusterResourceSetBindings,
    filter: watchFilter,
    concurrency,
    // A binding has the name of its Cluster.
    watches: [
      watch(clusters, {
        map: mapToSelf,
        filter: (change) => watchFilter(change) && (change.type === 'deleted' || isDeleting(change.object)),
      }),
    ],
    reconcile: (key, reconcileContext) => reconcileBinding(key, reconcileContext, waitsForHook),
  });
}

async function reconcileBinding(key: ObjectKey, context: ReconcileContext, waitsForHook: boolean): Promise<Outcome> {
  const { sources } = context;
  const binding = sources.sourceFor(clusterResourceSetBindings).get(key);
  if (binding === undefined || Object.hasOwn(binding.metadata.annotations ?? {}, annotations.paused)) return done();
  const named = await nameCluster(context, binding);
  const name = named.spec.clusterName;
  const cluster = sources.sourceFor(clusters).get({ namespace: key.namespace, name });
  if (cluster !== undefined && !isDeletable(cluster, waitsForHook)) return done();
  const message = `Deleted ClusterResourceSetBinding ${key.name}: Cluster ${name} is deleted`;
  await context.change({
    verb: 'delete',
    resource: clusterResourceSetBindings,
    key,
    reason: 'ClusterDeleted',
    message,
  });
  return done();
}

/**
 * Returns whether the binding may be deleted. It stays while a BeforeClusterDelete hook may still block the deletion of the
 * Cluster.
 */
function isDeletable(cluster: ObservedCluster, waitsForHook: boolean): boolean {
  if (!isDeleting(cluster)) return false;
  const held = waitsForHook && cluster.spec?.topology !== undefined;
  return !held || Object.hasOwn(cluster.metadata.annotations ?? {}, runtimeAnnotations.okToDelete);
}

type ObservedBinding = Frozen<ClusterResourceSetBinding>;

/** Sets spec.clusterName from the owner reference. Early releases only set the owner. */
function nameCluster(context: ReconcileContext, binding: ObservedBinding): Promise<ObservedBinding> | ObservedBinding {
  const owner = binding.metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === 'Cluster' && parseApiVersion(apiVersion).group === clusters.group,
  );
  if (owner === undefined) return binding;
  const after: ObservedBinding = edit(binding, (draft) => {
    if ((draft.spec.clusterName as string | undefined) === undefined) draft.spec.clusterName = owner.name;
    draft.metadata.ownerReferences = (draft.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.uid);
  });
  return context.change({
    verb: 'patch',
    resource: clusterResourceSetBindings,
    before: binding,
    after,
    reason: 'LegacyOwner',
    message: `Set spec.clusterName to ${owner.name} in place of an owner reference`,
  });
}
