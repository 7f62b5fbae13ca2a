import { type Frozen, type KubeObject, labelSelectorFromObject, SelectorError } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  configMaps,
  createController,
  type Index,
  InformerFactory,
  isDeleting,
  keyOf,
  mapToOwner,
  type ObjectKey,
  type Predicate,
  type Resource,
  secrets,
  type Sources,
  type Trigger,
  watch,
} from '@slipway/runtime';
import {
  type Cluster,
  type ClusterResourceSet,
  clusterResourceSetBindings,
  clusterResourceSets,
  clusters,
  secretTypes,
} from '../api/index.js';
import { workloadClusters } from '../toolkit/index.js';
import { namespaceIndex, reconcileClusterResourceSet } from './reconcile.js';
import { SetProgress } from './set-progress.js';

/** Applies the content of ConfigMaps and Secrets to all clusters that match a selector. */
export function createClusterResourceSetController(context: ControllerContext): Controller {
  const { sources, clock, concurrency, watchFilter } = context;
  const workloads = workloadClusters(context);
  const progress = new SetProgress(clock);
  const touched = (cluster: Frozen<Pick<Cluster, 'metadata'>>): ObjectKey[] => {
    const sets = setsFor(sources, cluster);
    for (const set of sets) progress.touch(set, keyOf(cluster));
    return sets;
  };
  return createController<ClusterResourceSet>({
    name: 'clusterresourceset',
    for: clusterResourceSets,
    filter: watchFilter,
    concurrency,
    watches: [
      watch(clusters, {
        map: touched,
        filter: (change) => watchFilter(change) && matters(change),
      }),
      { resource: clusterResourceSetBindings, map: () => [] },
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((key, connected) => {
          const cluster = connected ? sources.sourceFor(clusters).get(key) : undefined;
          if (cluster !== undefined) for (const set of touched(cluster)) enqueue(set);
        }),
      followResources(context),
    ],
    reconcile: (key, reconcileContext) =>
      reconcileClusterResourceSet(key, { context: reconcileContext, workloads, progress }),
  });
}

/**
 * Selects changes of a Cluster that trigger its sets: creation, deletion, labels, and resyncs. New connections are reported by
 * the cluster cache.
 */
const matters: Predicate<Cluster> = ({ object, previous }) =>
  previous === undefined ||
  object === previous ||
  JSON.stringify(object.metadata.labels) !== JSON.stringify(previous.metadata.labels) ||
  isDeleting(object) !== isDeleting(previous);

function setsFor(sources: Sources, cluster: Frozen<Pick<Cluster, 'metadata'>>): ObjectKey[] {
  const { namespace = '', labels } = cluster.metadata;
  return sources
    .sourceFor(clusterResourceSets)
    .byIndex(namespaceIndex, namespace)
    .filter((set) => selects(set, labels))
    .map((set) => keyOf(set as Frozen<KubeObject>));
}

function selects(set: Frozen<ClusterResourceSet>, labels: Readonly<Record<string, string>> | undefined): boolean {
  try {
    const selector = labelSelectorFromObject(set.spec.clusterSelector);
    return !selector.empty && selector.matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Indexes sets by the ConfigMaps and Secrets they reference: `namespace/kind/name`. */
const resourceIndex: Index<ClusterResourceSet> = {
  name: 'resource',
  valuesOf: ({ metadata, spec }) =>
    spec.resources.map(({ kind, name }) => `${metadata.namespace ?? ''}/${kind}/${name}`),
};

/**
 * Enqueues sets when their ConfigMaps and Secrets change. Caches only metadata, and only Secrets of the supported type, so that
 * not every Secret of the management cluster is in memory.
 */
function followResources({ client, clock, random, logger, namespace, sources }: ControllerContext): Trigger {
  return (enqueue) => {
    const factory = new InformerFactory({ client, clock, random, logger });
    const scope = namespace === '' ? {} : { namespace };
    const follow = (kind: string, resource: Resource, options: { readonly fieldSelector?: string }): void => {
      const notify = (object: Frozen<KubeObject>): void => {
        for (const key of setsOf(sources, kind, object)) enqueue(key);
      };
      factory.metadataInformer(resource, { ...scope, ...options }).addHandler({ added: notify, updated: notify });
    };
    follow('ConfigMap', configMaps, {});
    follow('Secret', secrets, { fieldSelector: `type=${secretTypes.resourceSet}` });
    return factory;
  };
}

const mapToSets = mapToOwner(clusterResourceSets);

function setsOf(sources: Sources, kind: string, object: Frozen<KubeObject>): Iterable<ObjectKey> {
  const owners = [...mapToSets(object)];
  if (owners.length > 0) return owners;
  const { namespace = '', name = '' } = object.metadata;
  const named = sources.sourceFor(clusterResourceSets).byIndex(resourceIndex, `${namespace}/${kind}/${name}`);
  return named.map((set) => keyOf(set as Frozen<KubeObject>));
}
