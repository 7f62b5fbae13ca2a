import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import {
  allOf,
  type Controller,
  type ControllerContext,
  controllerIndex,
  controllerOf,
  createController,
  keyOf,
  labelIndex,
  mapToController,
  type ObjectChange,
  type ObjectKey,
  resourceVersionChanged,
  type Sources,
  watch,
  wordsSetting,
} from '@slipway/runtime';
import { preflightChecks } from '../admission/index.js';
import {
  type Cluster,
  clusters,
  labels,
  type Machine,
  type MachineDeployment,
  machineDeployments,
  machines,
  machineSets,
  revisionAnnotations,
} from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import { IntentCache } from '../intents/index.js';
import { keysOfCluster } from '../reconcile/index.js';
import { selectorOf, SetPace } from './machine-set-scope.js';
import { reconcileMachineSet } from './reconcile.js';

export const machineSetPreflightChecks = wordsSetting(
  {
    flag: 'machineset-preflight-checks',
    description: 'Preflight checks to run before a MachineSet creates Machines',
    default: 'All',
  },
  preflightChecks,
);

export function createMachineSetController(context: ControllerContext): Controller {
  const { sources, featureGates, settings, watchFilter, concurrency } = context;
  const dependencies = {
    intents: new IntentCache(),
    pace: new SetPace(),
    preflightChecks: featureGates.isOpen('MachineSetPreflightChecks') ? settings.get(machineSetPreflightChecks) : [],
  };
  return createController({
    name: 'machineset',
    for: machineSets,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [
      watch(machines, { map: (machine) => setsOfMachine(sources, machine), filter: resourceVersionChanged }),
      watch(clusters, {
        map: (cluster) => keysOfCluster(sources, machineSets, keyOf(cluster)),
        filter: clusterMatters,
      }),
      watch(machineDeployments, { map: (deployment) => setsOf(sources, deployment), filter: deploymentMatters }),
      definitionsWatch,
    ],
    reconcile: (key, context) => reconcileMachineSet(key, context, dependencies),
  });
}

const toController = mapToController(machineSets);

/** Returns the MachineSet that controls the machine or, without a controller, the MachineSets that may adopt it. */
function setsOfMachine(sources: Sources, machine: Frozen<Machine>): Iterable<ObjectKey> {
  if (controllerOf(machine) !== undefined) return toController(machine);
  const value = `${machine.metadata.namespace ?? ''}/${machine.spec.clusterName}`;
  return sources
    .sourceFor(machineSets)
    .byIndex(labelIndex(labels.clusterName), value)
    .filter((set) => selectorOf(set)(machine))
    .map(keyOf);
}

/** Returns whether a Cluster changed in a field that MachineSets read: paused, or one of the preflight checks. */
function clusterMatters({ object, previous }: ObjectChange<Cluster>): boolean {
  if (previous === undefined) return true;
  const [now, before] = [object.spec, previous.spec];
  return (
    now.paused !== before.paused ||
    now.topology?.version !== before.topology?.version ||
    !deepEqual(now.controlPlaneRef, before.controlPlaneRef)
  );
}

function setsOf(sources: Sources, { metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey[] {
  return sources
    .sourceFor(machineSets)
    .byIndex(controllerIndex, metadata.uid ?? '')
    .map(keyOf);
}

/**
 * Returns whether a MachineDeployment changed in a field that remediation reads: the current revision, or the number of
 * concurrent remediations.
 */
function deploymentMatters({ object, previous }: ObjectChange<MachineDeployment>): boolean {
  if (previous === undefined) return true;
  const revisionOf = ({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): string | undefined =>
    metadata.annotations?.[revisionAnnotations.revision];
  return (
    revisionOf(object) !== revisionOf(previous) ||
    object.spec.remediation?.maxInFlight !== previous.spec.remediation?.maxInFlight
  );
}
