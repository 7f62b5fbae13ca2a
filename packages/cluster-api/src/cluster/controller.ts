import { deepEqual, type Frozen } from '@slipway/kube';
import {
  allOf,
  type Condition,
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
import type { ClusterSettings } from './cluster-scope.js';
import { reconcileCluster } from './reconcile.js';

export const clusterController: ControllerDescriptor = {
  name: 'cluster',
  concurrencyDefault: 50,
  create: (context) => createClusterController(context),
};

export interface ClusterControllerOptions {
  /** How long a connection may not answer before it counts as lost. */
  readonly remoteConnectionGraceMs?: number;
}

const remoteConnectionGraceMsDefault = 50_000;

const clusterReferences = referenceIndex<Cluster>(({ spec }) => [spec.infrastructureRef, spec.controlPlaneRef]);

export function createClusterController(
  context: ControllerContext,
  options: ClusterControllerOptions = {},
): Controller {
  const { sources, workloads, featureGates, watchFilter, concurrency } = context;
  const settings: ClusterSettings = {
    workloads,
    featureGates,
    remoteConnectionGraceMs: options.remoteConnectionGraceMs ?? remoteConnectionGraceMsDefault,
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
      watch(machineSets, { map: clusterByLabel }),
      ...pools,
    ],
    triggers: [(enqueue) => workloads.onChange((cluster) => enqueue(cluster))],
    reconcile: (key, reconcileContext) => reconcileCluster(key, reconcileContext, settings),
  });
}

interface Labelled {
  readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
}

function clusterByLabel({ metadata }: Labelled): ObjectKey[] {
  const name = metadata.labels?.[labels.clusterName];
  return name === undefined ? [] : [{ namespace: metadata.namespace ?? '', name }];
}

const conditionsOfInterest: readonly string[] = [
  'Ready',
  'Available',
  'UpToDate',
  'HealthCheckSucceeded',
  'OwnerRemediated',
];

/** What a cluster tells of its machines. Most of what they write about themselves is not in it. */
function machineMatters({ object, previous }: ObjectChange<Machine>): boolean {
  return previous === undefined || !deepEqual(essenceOf(object), essenceOf(previous));
}

function essenceOf({ metadata, spec, status }: Frozen<Machine>): unknown {
  const conditions = (status?.conditions ?? [])
    .filter(({ type }) => conditionsOfInterest.includes(type))
    .map((condition: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>) => [
      condition.type,
      condition.status,
      condition.reason,
      condition.message,
    ]);
  return [metadata.labels, metadata.ownerReferences, spec.version, status?.nodeRef, conditions];
}
