import { clusters, isControlPlaneMachine, keysOfCluster, labels, type Machine, machines } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  isDeleting,
  keyOf,
  mapToOwner,
  type ObjectChange,
  type ObjectKey,
  watch,
} from '@slipway/runtime';
import { haproxyLoadBalancers, vsphereClusters, vsphereMachines, vsphereVms } from '../../api/index.js';
import { ownerClusterKey } from '../owner-cluster.js';
import type { VCenterDependencies } from '../dependencies.js';
import { reconcileLoadBalancer } from './reconcile.js';

export function createLoadBalancerController(
  context: ControllerContext,
  dependencies: VCenterDependencies,
): Controller {
  const { sources, concurrency, watchFilter: filter } = context;
  const ofCluster = (key: ObjectKey | undefined): ObjectKey[] =>
    key === undefined ? [] : keysOfCluster(sources, haproxyLoadBalancers, key);
  const byLabel = ({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey[] =>
    ofCluster({ namespace: metadata.namespace ?? '', name: metadata.labels?.[labels.clusterName] ?? '' });
  return createController({
    name: 'haproxyloadbalancer',
    for: haproxyLoadBalancers,
    concurrency,
    filter,
    watches: [
      watch(clusters, { map: (cluster) => ofCluster(keyOf(cluster)) }),
      watch(vsphereClusters, { map: (one) => ofCluster(ownerClusterKey(one)) }),
      watch(machines, { map: byLabel, filter: mattersToBalancer }),
      // Deletions of machines matter, because the load balancer is deleted after the last machine.
      watch(vsphereMachines, { map: byLabel, filter: ({ type }) => type === 'deleted' }),
      { resource: vsphereVms, map: mapToOwner(haproxyLoadBalancers) },
    ],
    reconcile: (key, reconcileContext) => reconcileLoadBalancer(key, reconcileContext, dependencies),
  });
}

/** Returns whether a change of a Machine affects the backends of the load balancer. */
function mattersToBalancer({ object, previous, type }: ObjectChange<Machine>): boolean {
  if (!isControlPlaneMachine(object)) return false;
  return type === 'deleted' || previous === undefined || !deepEqual(factsOf(object), factsOf(previous));
}

function factsOf(machine: Frozen<Machine>): readonly unknown[] {
  const { addresses, nodeRef, deprecated } = machine.status ?? {};
  return [addresses, nodeRef?.name, deprecated?.v1beta1?.failureReason, isDeleting(machine)];
}
