import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import {
  type Index,
  keyOf,
  type Node,
  nodes,
  type ObjectKey,
  type ReconcileContext,
  type Sources,
} from '@slipway/runtime';
import { type Machine, machines, nodeAnnotations } from '../api/index.js';
import type { ClusterCache } from '../toolkit/index.js';
import { nodeInformer } from '../workload/index.js';

/** Indexes machines by cluster and provider ID. */
const machinesByProviderId: Index<Machine> = {
  name: 'cluster and providerID',
  valuesOf: ({ metadata, spec }) =>
    spec.providerID === undefined
      ? []
      : [providerIdText({ namespace: metadata.namespace ?? '', name: spec.clusterName }, spec.providerID)],
};

function providerIdText(cluster: ObjectKey, providerId: string): string {
  return `${cluster.namespace}/${cluster.name}/${providerId}`;
}

/** Watches the Nodes of a cluster on every new connection, and enqueues a machine when its Node changes. */
export function watchNodes(
  workloads: ClusterCache,
  cluster: ObjectKey,
  { sources, enqueue }: Pick<ReconcileContext, 'sources' | 'enqueue'>,
): Promise<void> {
  const notify = (node: Frozen<Node>): void => {
    for (const key of machinesOfNode(sources, cluster, node)) enqueue(key);
  };
  return workloads.watch(cluster, {
    name: 'machine-nodes',
    resource: nodes,
    options: nodeInformer,
    handler: {
      added: notify,
      updated: (node, previous) => {
        if (hasRelevantChange(node, previous)) notify(node);
      },
      deleted: notify,
    },
  });
}

/** Finds the machines of a Node by the annotation that the machine controller set, or by provider ID without it. */
function machinesOfNode(sources: Sources, cluster: ObjectKey, node: Frozen<Node>): ObjectKey[] {
  const source = sources.sourceFor(machines);
  const name = node.metadata.annotations?.[nodeAnnotations.machine];
  if (name !== undefined) {
    const machine = source.get({ namespace: cluster.namespace, name });
    if (machine?.spec.clusterName === cluster.name) return [{ namespace: cluster.namespace, name }];
  }
  const { providerID } = node.spec ?? {};
  if (providerID === undefined) return [];
  return source
    .byIndex(machinesByProviderId, providerIdText(cluster, providerID))
    .map((machine) => keyOf(machine as Frozen<KubeObject>));
}

/** Returns whether a Node changed in a way that affects its machine. Heartbeats do not. */
function hasRelevantChange(node: Frozen<Node>, previous: Frozen<Node>): boolean {
  return !deepEqual(essenceOf(node), essenceOf(previous));
}

function essenceOf({ metadata, spec, status }: Frozen<Node>): unknown {
  const { labels, annotations, deletionTimestamp } = metadata;
  const conditions = (status?.conditions ?? []).map(({ lastHeartbeatTime: _heartbeat, ...condition }) => condition);
  return [labels, annotations, deletionTimestamp, spec, conditions, status?.nodeInfo];
}
