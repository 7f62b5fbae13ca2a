import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import {
  allOf,
  type Controller,
  type ControllerContext,
  type ControllerDescriptor,
  controllerIndex,
  createController,
  isConditionTrue,
  keyOf,
  labelIndex,
  namespaces,
  type ObjectChange,
  type ObjectKey,
  patternsSetting,
  resourceVersionChanged,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import {
  type Cluster,
  clusters,
  extensionConfigs,
  labels,
  type Machine,
  machineDeployments,
  machineDrainRules,
  machines,
  machineSets,
  revisionAnnotations,
} from '../api/index.js';
import { definitionsWatch, mapToReferrer, referenceIndex } from '../contract/index.js';
import { formatLabelValue } from '../naming/index.js';
import {
  ExtensionClient,
  type ExtensionTransport,
  extensionDependencies,
  HookCache,
} from '../runtime-extensions/index.js';
import { workloadClusters } from '../toolkit/index.js';
import { remoteConditionsGraceMs } from '../workload/index.js';
import type { InPlaceUpdates } from './in-place-update.js';
import type { MachineDependencies } from './machine-scope.js';
import { reconcileMachine } from './reconcile.js';

export interface MachineControllerOptions {
  /** Transport to extensions that update machines in place. */
  readonly transport?: ExtensionTransport;
}

export const additionalSyncMachineLabels = patternsSetting({
  flag: 'additional-sync-machine-labels',
  description: 'Regular expressions of additional Machine labels to sync to Nodes',
});

export const additionalSyncMachineAnnotations = patternsSetting({
  flag: 'additional-sync-machine-annotations',
  description: 'Regular expressions of additional Machine annotations to sync to Nodes',
});

const machineReferences = referenceIndex<Machine>(({ spec }) => [spec.infrastructureRef, spec.bootstrap.configRef]);

export function machineController(options: MachineControllerOptions = {}): ControllerDescriptor {
  return { name: 'machine', concurrencyDefault: 100, create: (context) => createMachineController(context, options) };
}

function createMachineController(context: ControllerContext, options: MachineControllerOptions): Controller {
  const { sources, featureGates, watchFilter, concurrency } = context;
  const workloads = workloadClusters(context);
  const dependencies: MachineDependencies = {
    workloads,
    featureGates,
    remoteConditionsGraceMs: remoteConditionsGraceMs(context.settings),
    additionalLabels: context.settings.get(additionalSyncMachineLabels),
    additionalAnnotations: context.settings.get(additionalSyncMachineAnnotations),
    mapProviderObject: mapToReferrer(sources, machines, machineReferences),
    inPlaceUpdates: inPlaceUpdatesOf(context, options),
  };
  return createController({
    name: 'machine',
    for: machines,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [
      definitionsWatch,
      watch(machineDrainRules, { map: () => [] }),
      ...(dependencies.inPlaceUpdates === undefined ? [] : extensionWatches),
      watch(clusters, {
        map: (cluster) => machinesOfCluster(sources, keyOf(cluster as Frozen<KubeObject>)),
        filter: clusterMatters,
      }),
      watch(machineSets, {
        map: (set) => keysOf(sources.sourceFor(machines).byIndex(controllerIndex, set.metadata.uid ?? '')),
        filter: templateChanged,
      }),
      watch(machineDeployments, {
        map: ({ metadata }) =>
          machinesByLabel(sources, labels.deploymentName, metadata.namespace, formatLabelValue(metadata.name ?? '')),
        filter: templateChanged,
      }),
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((cluster) => {
          for (const key of machinesOfCluster(sources, cluster)) enqueue(key);
        }),
    ],
    reconcile: (key, reconcileContext) => reconcileMachine(key, reconcileContext, dependencies),
  });
}

/** Caches extensions, which are looked up when needed. A new extension does not trigger reconciles of machines. */
const extensionWatches: readonly Watch[] = [
  watch(extensionConfigs, { map: () => [] }),
  watch(namespaces, { map: () => [] }),
];

function inPlaceUpdatesOf(context: ControllerContext, options: MachineControllerOptions): InPlaceUpdates | undefined {
  const { featureGates, sources, clock } = context;
  if (!featureGates.isOpen('InPlaceUpdates') || !featureGates.isOpen('RuntimeSDK')) return undefined;
  return {
    extensions: new ExtensionClient(sources, extensionDependencies(context, options.transport)),
    deferred: new HookCache(clock),
  };
}

function machinesOfCluster(sources: Sources, { namespace, name }: ObjectKey): ObjectKey[] {
  return machinesByLabel(sources, labels.clusterName, namespace, name);
}

function machinesByLabel(sources: Sources, label: string, namespace = '', value = ''): ObjectKey[] {
  return keysOf(sources.sourceFor(machines).byIndex(labelIndex(label), `${namespace}/${value}`));
}

function keysOf(found: readonly Frozen<Machine>[]): ObjectKey[] {
  return found.map((machine) => keyOf(machine as Frozen<KubeObject>));
}

/** Returns whether a Cluster changed in a field that machines use. That happens a few times in its life. */
function clusterMatters({ object, previous }: ObjectChange<Cluster>): boolean {
  return previous === undefined || !deepEqual(essenceOf(object), essenceOf(previous));
}

function essenceOf(cluster: ObjectChange<Cluster>['object']): unknown {
  const { spec, status, metadata } = cluster;
  return [
    metadata.deletionTimestamp,
    spec.paused,
    spec.controlPlaneRef,
    status?.initialization,
    isConditionTrue(cluster, 'ControlPlaneInitialized'),
  ];
}

interface Templated {
  readonly metadata: { readonly generation?: number; readonly annotations?: Readonly<Record<string, string>> };
}

/** Returns whether the template or revision changed, which machines compare. Changes of counters are ignored. */
function templateChanged({ object, previous }: { readonly object: Templated; readonly previous?: Templated }): boolean {
  const revision = ({ metadata }: Templated): string | undefined =>
    metadata.annotations?.[revisionAnnotations.revision];
  return (
    previous === undefined ||
    object.metadata.generation !== previous.metadata.generation ||
    revision(object) !== revision(previous)
  );
}
