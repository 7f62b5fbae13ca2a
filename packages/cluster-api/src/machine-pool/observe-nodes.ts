import type { Frozen } from '@slipway/kube';
import {
  done,
  type InformerHandler,
  keyOf,
  type Node,
  nodes,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
} from '@slipway/runtime';
import { machinePools } from '../api/index.js';
import { nodeByProviderId, nodeInformer } from '../workload/index.js';
import { type PoolPass, providerIdIndex } from './pool-pass.js';

/** Finds the Nodes of the pool, each by its provider ID. Throws ClusterDisconnected. */
export async function observeNodes(pass: PoolPass): Promise<Outcome> {
  const { context, tools, cluster, pool } = pass;
  if (cluster?.status?.initialization?.controlPlaneInitialized !== true) return done();
  const key = keyOf(cluster);
  const handler = nodeHandler(context, key);
  await tools.workloads.watch(key, { name: 'machinepool', resource: nodes, options: nodeInformer, handler });
  const found: Frozen<Node>[] = [];
  for (const id of pool.spec.providerIDList ?? []) {
    const node = await nodeByProviderId(tools.workloads, key, id, context.signal);
    if (node !== undefined) found.push(node);
  }
  pass.nodes = found;
  return done();
}

/** Looks again at the pool of a Node that comes, goes or changes its state. */
function nodeHandler({ sources, enqueue }: ReconcileContext, cluster: ObjectKey): InformerHandler<Node> {
  const look = (node: Frozen<Node>): void => {
    const id = node.spec?.providerID;
    if (id === undefined) return;
    const value = `${cluster.namespace}/${cluster.name}/${id}`;
    for (const pool of sources.sourceFor(machinePools).byIndex(providerIdIndex, value)) enqueue(keyOf(pool));
  };
  return {
    added: (node, { initial }) => (initial ? undefined : look(node)),
    updated: (node, previous) => (stateOf(node) === stateOf(previous) ? undefined : look(node)),
    deleted: look,
  };
}

function stateOf(node: Frozen<Node>): string {
  const { spec, status, metadata } = node;
  const taints = (spec?.taints ?? []).map(({ key }) => key).join(' ');
  return [spec?.providerID, isReady(node), status?.nodeInfo?.kubeletVersion, taints, metadata.uid].join('\n');
}

export function isReady({ status }: Frozen<Node>): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}
