import type { Frozen, JsonObject } from '@slipway/kube';
import {
  done,
  edit,
  ifPresent,
  type InformerHandler,
  keyOf,
  type Node,
  nodes,
  nodes as nodeResource,
  type ObjectKey,
  type Outcome,
  type RawPatchChange,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { machinePools, nodeAnnotations, nodeTaints } from '../api/index.js';
import { nameOf } from '../machines/index.js';
import { markTrue, setV1beta1Condition, type WorkloadCluster } from '../toolkit/index.js';
import { nodeByProviderId, nodeInformer } from '../workload/index.js';
import {
  changePool,
  changeV1beta1,
  type ObservedPool,
  type PoolScope,
  providerIdIndex,
  statusOf,
} from './pool-scope.js';

/** Finds the Nodes of the pool by provider ID. Throws ClusterDisconnected. */
export async function observeNodes(scope: PoolScope): Promise<Outcome> {
  const { context, dependencies, cluster, pool } = scope;
  if (cluster?.status?.initialization?.controlPlaneInitialized !== true) return done();
  const key = keyOf(cluster);
  const handler = nodeHandler(context, key);
  await dependencies.workloads.watch(key, { name: 'machinepool', resource: nodes, options: nodeInformer, handler });
  const found: Frozen<Node>[] = [];
  for (const id of pool.spec.providerIDList ?? []) {
    const node = await nodeByProviderId(dependencies.workloads, key, id, context.signal);
    if (node !== undefined) found.push(node);
  }
  scope.nodes = found;
  return done();
}

/** Enqueues the pool of a Node when the Node is created, deleted or changes its state. */
function nodeHandler({ sources, enqueue }: ReconcileContext, cluster: ObjectKey): InformerHandler<Node> {
  const enqueuePool = (node: Frozen<Node>): void => {
    const id = node.spec?.providerID;
    if (id === undefined) return;
    const value = `${cluster.namespace}/${cluster.name}/${id}`;
    for (const pool of sources.sourceFor(machinePools).byIndex(providerIdIndex, value)) enqueue(keyOf(pool));
  };
  return {
    added: (node, { initial }) => (initial ? undefined : enqueuePool(node)),
    updated: (node, previous) => (stateOf(node) === stateOf(previous) ? undefined : enqueuePool(node)),
    deleted: enqueuePool,
  };
}

function stateOf(node: Frozen<Node>): string {
  const { spec, status, metadata } = node;
  const taints = (spec?.taints ?? []).map(({ key }) => key).join(' ');
  return [spec?.providerID, isReady(node), status?.nodeInfo?.kubeletVersion, taints, metadata.uid].join('\n');
}

function isReady({ status }: Frozen<Node>): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}

/** Fallback interval for missed events. The watch on the workload cluster reports new Nodes. */
const notAllFoundMs = 30_000;

/** Records the Nodes of the pool in its status, annotates them, and deletes Nodes whose machines are gone. */
export async function reconcileNodes(scope: PoolScope): Promise<Outcome> {
  const { nodes, pool, cluster } = scope;
  if (nodes === undefined || cluster === undefined) return done();
  const desired = pool.spec.replicas;
  if ((pool.spec.providerIDList ?? []).length === 0 && desired !== 0) return done();
  const workload = await scope.dependencies.workloads.cluster(keyOf(cluster));
  await deleteRetired(scope, workload, nodes);
  for (const node of nodes) {
    const marked = markedNode(pool, node);
    if (marked !== node) await scope.context.change(nodeChange(workload, pool, marked));
  }
  return noteNodes(scope, nodes);
}

/**
 * Returns the patch of a Node. It contains the resourceVersion, so that taints of other writers in the same list are not lost.
 */
function nodeChange(on: WorkloadCluster, pool: ObservedPool, { metadata, spec }: Frozen<Node>): RawPatchChange<Node> {
  const { name = '', resourceVersion = '', annotations = {} } = metadata;
  const taints = (spec?.taints ?? []) as readonly JsonObject[];
  return {
    verb: 'patch',
    resource: nodeResource,
    key: { namespace: '', name },
    body: { type: 'merge', patch: { metadata: { resourceVersion, annotations }, spec: { taints } } },
    on,
    reason: 'NodeFound',
    message: `Annotated Node ${name} of MachinePool ${nameOf(pool)} and removed its uninitialized taint`,
  };
}

/** Deletes the Nodes whose provider ID the provider has removed from its list, which it does after deleting the machine. */
async function deleteRetired(
  scope: PoolScope,
  workload: WorkloadCluster,
  current: readonly Frozen<Node>[],
): Promise<void> {
  const kept = new Set(current.map(({ metadata }) => metadata.name));
  const retired = (scope.pool.status?.nodeRefs ?? []).filter(({ name }) => !kept.has(name));
  await deleteNodes(scope, workload, retired, {
    reason: 'ProviderIDRemoved',
    isObsolete: ({ spec }) =>
      spec?.providerID !== undefined && !(scope.pool.spec.providerIDList ?? []).includes(spec.providerID),
  });
}

interface NodeDeletion {
  readonly reason: 'MachinePoolDeleted' | 'ProviderIDRemoved';
  readonly isObsolete: (node: Frozen<Node>) => boolean;
}

export async function deleteNodes(
  { context, pool }: PoolScope,
  on: WorkloadCluster,
  references: readonly { readonly name?: string }[],
  { reason, isObsolete }: NodeDeletion,
): Promise<void> {
  for (const { name = '' } of references) {
    const key = { namespace: '', name };
    const node = await ifPresent(on.read.get(nodeResource, key, { signal: context.signal }));
    if (node === undefined || !isObsolete(node)) continue;
    const message = `Deleted Node ${name} of MachinePool ${nameOf(pool)}`;
    await context.change({ verb: 'delete', resource: nodeResource, key, on, reason, message });
  }
}

/** Returns the Node with annotations that refer to its pool, and without the uninitialized taint. */
function markedNode(pool: ObservedPool, node: Frozen<Node>): Frozen<Node> {
  return edit(node, (draft) => {
    draft.metadata.annotations = {
      ...draft.metadata.annotations,
      [nodeAnnotations.clusterName]: pool.spec.clusterName,
      [nodeAnnotations.clusterNamespace]: pool.metadata.namespace ?? '',
      [nodeAnnotations.ownerKind]: pool.kind,
      [nodeAnnotations.ownerName]: pool.metadata.name ?? '',
    };
    const { key, effect } = nodeTaints.uninitialized;
    const taints = draft.spec?.taints;
    if (draft.spec !== undefined && taints?.some((taint) => taint.key === key && taint.effect === effect) === true)
      draft.spec.taints = taints.filter((taint) => taint.key !== key || taint.effect !== effect);
  });
}

function noteNodes(scope: PoolScope, nodes: readonly Frozen<Node>[]): Outcome {
  const before = scope.pool.status?.nodeRefs ?? [];
  const ready = nodes.filter(isReady).length;
  changePool(scope, (draft) => {
    const status = statusOf(draft);
    const counters = {
      readyReplicas: ready,
      availableReplicas: nodes.length,
      unavailableReplicas: Math.max((status.replicas ?? 0) - nodes.length, 0),
    };
    status.deprecated = { ...status.deprecated, v1beta1: { ...status.deprecated?.v1beta1, ...counters } };
    status.nodeRefs = nodes.map(({ metadata: { name = '', uid } }) => ({
      apiVersion: 'v1',
      kind: 'Node',
      name,
      ...(uid === undefined ? {} : { uid }),
    }));
  });
  if (before.length !== nodes.length) recordNodes(scope, nodes);
  const complete = ready === (scope.pool.status?.replicas ?? 0) && nodes.length === ready;
  changeV1beta1(scope, (target) => {
    if (complete) markTrue(target, 'ReplicasReady', scope.nowMs);
    else
      setV1beta1Condition(
        target,
        { type: 'ReplicasReady', status: 'False', severity: 'Info', reason: 'WaitingForReplicasReady' },
        scope.nowMs,
      );
  });
  if (complete) return done();
  return wait({ ms: notAllFoundMs, reason: 'WaitingForReplicasReady', message: `${ready} Nodes are ready` });
}

function recordNodes({ context, pool }: PoolScope, nodes: readonly Frozen<Node>[]): void {
  if (nodes.length === 0) return;
  const names = nodes.map(({ metadata }) => metadata.name ?? '').join(', ');
  context.events.record(pool, { type: 'Normal', reason: 'SuccessfulSetNodeRefs', message: names });
}
