import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  type Index,
  namespaces,
  nodes,
  type ObjectKey,
  type ObjectChange,
  type Resource,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import {
  type Cluster,
  clusterClasses,
  clusters,
  extensionConfigs,
  labels,
  type Machine,
  machineDeployments,
  machineHealthChecks,
  machinePools,
  machines,
} from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import {
  extensionDependencies,
  ExtensionClient,
  type ExtensionTransport,
  HookCache,
} from '../runtime-extensions/index.js';
import { workloadClusters } from '../toolkit/index.js';
import { NoOpCache } from './apply/compare-by-dry-run.js';
import { ExtensionHooks } from './extension-hooks.js';
import { createExtensionPatches } from './extension-patches.js';
import { createPatchEngine } from './patches/apply-patches.js';
import { reconcileTopology, type TopologyDependencies } from './reconcile.js';
import { noHooks } from './topology-hooks.js';

/** Indexes Clusters by class: `namespace/name`. */
const classIndex: Index<Cluster> = {
  name: 'cluster class',
  valuesOf: ({ metadata, spec }) => {
    const reference = spec.topology?.classRef;
    if (reference === undefined) return [];
    return [`${reference.namespace ?? metadata.namespace ?? ''}/${reference.name}`];
  },
};

export function createTopologyController(context: ControllerContext, transport?: ExtensionTransport): Controller {
  const { clock, featureGates, sources, concurrency, watchFilter } = context;
  const workloads = workloadClusters(context);
  const toCluster = topologyCluster(sources);
  const extensions = featureGates.isOpen('RuntimeSDK')
    ? new ExtensionClient(sources, extensionDependencies(context, transport))
    : undefined;
  const dependencies: TopologyDependencies = {
    cache: new NoOpCache(),
    hooks: extensions === undefined ? noHooks : new ExtensionHooks(extensions, new HookCache(clock)),
    applyPatches: createPatchEngine(extensions && createExtensionPatches(extensions)),
    map: toCluster,
    kubeletVersion: async (cluster, node) => {
      const { read } = await workloads.cluster(cluster);
      return (await read.get(nodes, { namespace: '', name: node })).status?.nodeInfo?.kubeletVersion;
    },
  };
  const owned = (resource: Resource): ReturnType<typeof watch> => watch(resource, { map: toCluster });
  return createController({
    name: 'topology/cluster',
    for: clusters,
    filter: (change) => change.object.spec.topology !== undefined && watchFilter(change),
    watches: [
      watch(clusterClasses, { map: (object) => clustersOfClass(sources, object as Frozen<KubeObject>) }),
      owned(machineDeployments),
      owned(machinePools),
      owned(machineHealthChecks),
      watch(machines, { map: (object) => toCluster(object as Frozen<KubeObject>), filter: isVersionChange }),
      definitionsWatch,
      // Cached for hook calls. Changes of these objects trigger no reconcile.
      ...(extensions === undefined ? [] : [extensionConfigs, namespaces].map(quietly)),
    ],
    // After a new connection, the Nodes of MachinePools can be read again.
    triggers: [(enqueue) => workloads.onChange((cluster) => enqueue(cluster))],
    concurrency,
    reconcile: (key, run) => reconcileTopology(key, run, dependencies),
  });
}

function quietly(resource: { readonly kind: string }): Watch {
  return { resource: resource as Resource, map: () => [] };
}

function clustersOfClass(sources: Sources, { metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey[] {
  return sources
    .sourceFor(clusters)
    .byIndex(classIndex, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
    .map((cluster) => ({ namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' }));
}

/** Maps an object of a topology to its Cluster, and a template of a ClusterClass to all Clusters of that class. */
function topologyCluster(sources: Sources): (object: Frozen<KubeObject>) => ObjectKey[] {
  return ({ metadata }) => {
    const { namespace = '', labels: own = {}, ownerReferences = [] } = metadata;
    const name = own[labels.clusterName];
    if (name !== undefined) return Object.hasOwn(own, labels.topologyOwned) ? [{ namespace, name }] : [];
    return ownerReferences
      .filter(({ kind }) => kind === clusterClasses.kind)
      .flatMap((owner) => clustersOfClass(sources, { metadata: { namespace, name: owner.name } }));
  };
}

/** Returns whether a Machine changed its version. Machines only determine whether an upgrade is complete. */
function isVersionChange({ type, object, previous }: ObjectChange<Machine>): boolean {
  if (type !== 'updated' || previous === undefined) return type === 'deleted';
  return (
    object.spec.version !== previous.spec.version ||
    object.status?.nodeInfo?.kubeletVersion !== previous.status?.nodeInfo?.kubeletVersion
  );
}
