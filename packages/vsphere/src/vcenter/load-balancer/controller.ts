import { clusters, isControlPlaneMachine, keysOfCluster, labels, type Machine, machines } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  isDeleting,
  keyOf,
  mapToOwner,
  type ObjectChange,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import { haproxyLoadBalancers, vsphereClusters, vsphereMachines, vsphereVms } from '../../api/index.js';
import { ownerClusterKey } from '../owner-cluster.js';
import type { VCenterWorld } from '../world.js';
import { reconcileLoadBalancer } from './reconcile.js';

export interface LoadBalancerControllerOptions {
  readonly world: VCenterWorld;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createLoadBalancerController(options: LoadBalancerControllerOptions): Controller {
  const { world, sources, concurrency, filter } = options;
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
      // It goes after the last of them.
      watch(vsphereMachines, { map: byLabel, filter: ({ type }) => type === 'deleted' }),
      { resource: vsphereVms, map: mapToOwner(haproxyLoadBalancers) },
    ],
    reconcile: (key, context) => reconcileLoadBalancer(key, context, world),
  });
}

/** Machines change often, and whether they are behind the balancer seldom. */
function mattersToBalancer({ object, previous, type }: ObjectChange<Machine>): boolean {
  if (!isControlPlaneMachine(object)) return false;
  return type === 'deleted' || previous === undefined || !deepEqual(factsOf(object), factsOf(previous));
}

function factsOf(machine: Frozen<Machine>): readonly unknown[] {
  const { addresses, nodeRef, deprecated } = machine.status ?? {};
  return [addresses, nodeRef?.name, deprecated?.v1beta1?.failureReason, isDeleting(machine)];
}
