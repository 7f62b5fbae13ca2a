import type { KubeObject } from '@slipway/kube';
import {
  allOf,
  type Controller,
  type ControllerContext,
  createController,
  keyOf,
  type Resource,
  resourceVersionChanged,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import { clusters, machineDeployments, machineSets } from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import { collectTemplatesOfDeployment, collectTemplatesOfSet } from './reconcile.js';
import { keysOfCluster } from '../reconcile/index.js';

/** Returns a watch that enqueues the objects of a Cluster when it is unpaused. */
function unpaused<T extends KubeObject>(sources: Sources, resource: Resource<T>): Watch {
  return watch(clusters, {
    map: (cluster) => keysOfCluster(sources, resource, keyOf(cluster)),
    filter: ({ object, previous }) => object.spec.paused !== previous?.spec.paused,
  });
}

export function createTemplatesOfSetsController({ sources, watchFilter, concurrency }: ControllerContext): Controller {
  return createController({
    name: 'topology/machineset',
    for: machineSets,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [definitionsWatch, watch(machineDeployments, { map: () => [] }), unpaused(sources, machineSets)],
    reconcile: collectTemplatesOfSet,
  });
}

export function createTemplatesOfDeploymentsController({
  sources,
  watchFilter,
  concurrency,
}: ControllerContext): Controller {
  return createController({
    name: 'topology/machinedeployment',
    for: machineDeployments,
    filter: allOf(resourceVersionChanged, watchFilter),
    concurrency,
    watches: [definitionsWatch, watch(machineSets, { map: () => [] }), unpaused(sources, machineDeployments)],
    reconcile: collectTemplatesOfDeployment,
  });
}
