import type { KeySource } from '@slipway/pki';
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
import { workloadClusters } from '../toolkit/index.js';
import type { ClusterDependencies } from './cluster-scope.js';
import { remoteConnectionGracePeriod } from '../workload/index.js';
import { reconcileCluster } from './reconcile.js';

export interface ClusterControllerOptions {
  /**
   * Source of the keys in kubeconfigs of clusters without a control plane object. Such clusters are rare, so no keys are
   * pre-generated.
   */
  readonly keys?: KeySource;
}

const clusterReferences = referenceIndex<Cluster>(({ spec }) => [spec.infrastructureRef, spec.controlPlaneRef]);

export function clusterController(options: ClusterControllerOptions = {}): ControllerDescriptor {
  return { name: 'cluster', concurrencyDefault: 50, create: (context) => createClusterController(context, options) };
}

function createClusterController(context: ControllerContext, options: ClusterControllerOptions): Controller {
  const { sources, featureGates, watchFilter, concurrency } = context;
  const workloads = workloadClusters(context);
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
      watch(machineSets, { map: clusterByLabel, filter: mattersToCluster }),
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
 * Returns whether a change of a descendant triggers a reconcile. Every change of a stand-alone object does. An object
 * with a controller owner triggers a reconcile only when it is created, deleted or relabelled: its owner reports all
 * other changes.
 */
function mattersToCluster({ object, previous }: { readonly object: Owned; readonly previous?: Owned }): boolean {
  if (previous === undefined || previous.metadata.labels !== object.metadata.labels) return true;
  return object.metadata.ownerReferences?.some(({ controller }) => controller === true) !== true;
}

/**
 * Returns whether a change of a Machine triggers a reconcile. Without a control plane object, the first Node of a control plane
 * Machine shows that the control plane works.
 */
function machineMatters(change: ObjectChange<Machine>): boolean {
  return mattersToCluster(change) || change.object.status?.nodeRef?.name !== change.previous?.status?.nodeRef?.name;
}
