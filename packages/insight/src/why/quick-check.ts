import { flagAt } from '@slipway/cluster-api';
import { ObjectSet, type Observed } from '../objects/index.js';
import { selectsCluster } from './dependencies.js';
import { addOns } from './rules/topology.js';
import { badConditions, isDeleting, isTrue } from './view.js';

const nothing = new ObjectSet({ objects: [] });

/**
 * Returns whether an explanation of the Cluster can find anything, without reading all its objects: for lists of many Clusters.
 * Machines report to their Cluster. `nearby` are objects that do not: its control plane, its MachineHealthChecks, and the
 * ClusterResourceSets of its namespace.
 */
export function needsExplanation(cluster: Observed, nearby: readonly Observed[]): boolean {
  if (isDeleting(cluster) || flagAt(cluster, 'spec', 'paused') || !isTrue(cluster, 'Available')) return true;
  return badConditions(cluster).length > 0 || nearby.some((object) => reportsProblem(object, cluster));
}

function reportsProblem(object: Observed, cluster: Observed): boolean {
  if (object.kind !== 'ClusterResourceSet') return badConditions(object).length > 0;
  return addOns(object, { set: nothing, nowMs: 0, cluster }) !== undefined && selectsCluster(object, cluster);
}
