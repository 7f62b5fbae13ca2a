import type { Frozen } from '@slipway/kube';
import {
  allOf,
  type Controller,
  type ControllerContext,
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
} from '@slipway/runtime';
import {
  type Cluster,
  clusters,
  labels,
  machineDeployments,
  machines,
  type MachineSet,
  machineSets,
} from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import { IntentCache } from '../intents/index.js';
import { keysOfCluster } from '../reconcile/index.js';
import { selects } from './deployment-scope.js';
import { reconcileMachineDeployment } from './reconcile.js';

export function createMachineDeploymentController(context: ControllerContext): Controller {
  const { sources, watchFilter, concurrency } = context;
  const dependencies = { intents: new IntentCache() };
  return createController({
    name: 'machinedeployment',
    for: machineDeployments,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [
      watch(machineSets, { map: (set) => deploymentsOfSet(sources, set), filter: resourceVersionChanged }),
      // Machines are only cached. Their MachineSets report changes: reconciling on both would double the writes.
      watch(machines, { map: () => [] }),
      watch(clusters, {
        map: (cluster) => keysOfCluster(sources, machineDeployments, keyOf(cluster)),
        filter: clusterMatters,
      }),
      definitionsWatch,
    ],
    reconcile: (key, run) => reconcileMachineDeployment(key, run, dependencies),
  });
}

const toController = mapToController(machineDeployments);

/** Returns the deployment that controls the MachineSet or, without a controller, the deployments that may adopt it. */
function deploymentsOfSet(sources: Sources, set: Frozen<MachineSet>): Iterable<ObjectKey> {
  if (controllerOf(set) !== undefined) return toController(set);
  const value = `${set.metadata.namespace ?? ''}/${set.spec.clusterName}`;
  return sources
    .sourceFor(machineDeployments)
    .byIndex(labelIndex(labels.clusterName), value)
    .filter((deployment) => selects(deployment, set))
    .map(keyOf);
}

function clusterMatters({ object, previous }: ObjectChange<Cluster>): boolean {
  return previous === undefined || object.spec.paused !== previous.spec.paused;
}
