import type { Frozen } from '@slipway/kube';
import {
  type InformerHandler,
  isConditionTrue,
  keyOf,
  labelIndex,
  type Node,
  nodes,
  type ObjectKey,
  type ReconcileContext,
} from '@slipway/runtime';
import { labels, machineHealthChecks, machines } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';
import { nodeInformer } from '../workload/index.js';
import { clusterIndex, type HealthCheckPass, nodeIndex } from './health-check-pass.js';
import { isTarget } from './health-check-planner.js';
import type { HealthTarget } from './target-health.js';

/** The machines that the check is about, each with its Node. Throws ClusterDisconnected: then nothing can be said. */
export async function observeTargets(pass: HealthCheckPass): Promise<HealthTarget[]> {
  const { context, healthCheck } = pass;
  const value = `${healthCheck.metadata.namespace ?? ''}/${healthCheck.spec.clusterName}`;
  const targets = context.sources
    .sourceFor(machines)
    .byIndex(labelIndex(labels.clusterName), value)
    .filter((machine) => isTarget(healthCheck, machine));
  const nodeOf = await nodeReader(pass);
  return targets.map((machine) => ({ machine, node: nodeOf(machine) }));
}

type NodeReader = (machine: ObservedMachine) => HealthTarget['node'];

/** Before its control plane is up a cluster has no Nodes to look at. */
async function nodeReader({ context, workloads, cluster }: HealthCheckPass): Promise<NodeReader> {
  if (!isConditionTrue(cluster, 'ControlPlaneInitialized')) return () => undefined;
  const key = keyOf(cluster);
  const handler = nodeHandler(context, key);
  await workloads.watch(key, { name: 'machinehealthcheck', resource: nodes, options: nodeInformer, handler });
  const informer = await workloads.informer(key, nodes, nodeInformer);
  if (!informer.synced) await informer.whenSynced({ signal: context.signal });
  return (machine) => {
    const name = machine.status?.nodeRef?.name;
    return name === undefined ? undefined : (informer.get({ namespace: '', name }) ?? 'deleted');
  };
}

/** Looks again at the checks of a machine when its Node changes in a way that they look at. */
function nodeHandler({ sources, enqueue }: ReconcileContext, cluster: ObjectKey): InformerHandler<Node> {
  const look = (node: Frozen<Node>): void => {
    const value = `${cluster.namespace}/${cluster.name}/${node.metadata.name ?? ''}`;
    for (const machine of sources.sourceFor(machines).byIndex(nodeIndex, value))
      for (const check of sources.sourceFor(machineHealthChecks).byIndex(clusterIndex, keyText(cluster)))
        if (isTarget(check, machine)) enqueue(keyOf(check));
  };
  return {
    added: (node, { initial }) => (initial ? undefined : look(node)),
    updated: (node, previous) => (statesOf(node) === statesOf(previous) ? undefined : look(node)),
    deleted: look,
  };
}

function keyText({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

/** Heartbeats change times alone; a check looks at states. */
function statesOf({ status }: Frozen<Node>): string {
  return (status?.conditions ?? []).map((each) => `${each.type}=${each.status}`).join(' ');
}
