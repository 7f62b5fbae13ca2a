import type { KeySource } from '@slipway/base';
import {
  allOf,
  type Controller,
  type ControllerContext,
  type ControllerDescriptor,
  createController,
  type ObjectChange,
  type ObjectKey,
  resourceVersionChanged,
  type Watch,
  watch,
} from '@slipway/runtime';
import {
  type Cluster,
  clusterClasses,
  clusters,
  labels,
  type Machine,
  machineDeployments,
  machinePools,
  machines,
  machineSets,
} from '../api/index.js';
import { definitionsWatch, mapToReferrer, referenceIndex } from '../contract/index.js';
import type { ClusterDependencies } from './cluster-scope.js';
import { remoteConnectionGracePeriod } from '../workload/index.js';
import { reconcileCluster } from './reconcile.js';

export interface ClusterControllerOptions {
  /** For the kubeconfigs that no control plane object makes; few do, so that none are made beforehand. */
  readonly keys?: KeySource;
}

const clusterReferences = referenceIndex<Cluster>(({ spec }) => [spec.infrastructureRef, spec.controlPlaneRef]);

export function clusterController(options: ClusterControllerOptions = {}): ControllerDescriptor {
  return { name: 'cluster', concurrencyDefault: 50, create: (context) => createClusterController(context, options) };
}

function createClusterController(context: ControllerContext, options: ClusterControllerOptions): Controller {
  const { sources, workloads, featureGates, watchFilter, concurrency } = context;
  const dependencies: ClusterDependencies = {
    workloads,
    featureGates,
    remoteConnectionGraceMs: context.settings.get(remoteConnectionGracePeriod),
    keys: options.keys ?? context.keys,
    mapProviderObject: mapToReferrer(sources, clusters, clusterReferences),
  };
  const pools: Watch[] = featureGates.isOpen('MachinePool') ? [watch(machinePools, { map: clusterByLabel })] : [];
  return createController({
    name: 'cluster',
    for: clusters,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [
      definitionsWatch,
      watch(clusterClasses, { map: () => [] }),
      watch(machines, { map: clusterByLabel, filter: machineMatters }),
      watch(machineDeployments, { map: clusterByLabel }),
      watch(machineSets, { map: clusterByLabel, filter: isNewsToCluster }),
      ...pools,
    ],
    triggers: [(enqueue) => workloads.onChange((cluster) => enqueue(cluster))],
    reconcile: (key, reconcileContext) => reconcileCluster(key, reconcileContext, dependencies),
  });
}

interface Labelled {
  readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
}

function clusterByLabel({ metadata }: Labelled): ObjectKey[] {
  const name = metadata.labels?.[labels.clusterName];
  return name === undefined ? [] : [{ namespace: metadata.namespace ?? '', name }];
}

interface Owned extends Labelled {
  readonly metadata: Labelled['metadata'] & { readonly ownerReferences?: readonly { readonly controller?: boolean }[] };
}

/**
 * What has a controller of its own is told by that, in one change for many: only its coming and going counts. What stands
 * alone counts with all it says.
 */
function isNewsToCluster({ object, previous }: { readonly object: Owned; readonly previous?: Owned }): boolean {
  if (previous === undefined || previous.metadata.labels !== object.metadata.labels) return true;
  return object.metadata.ownerReferences?.some(({ controller }) => controller === true) !== true;
}

/** Without a control plane object the first Node of a control plane tells that it works. */
function machineMatters(change: ObjectChange<Machine>): boolean {
  return isNewsToCluster(change) || change.object.status?.nodeRef?.name !== change.previous?.status?.nodeRef?.name;
}
