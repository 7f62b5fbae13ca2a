import { type Frozen, isReason, type JsonObject } from '@slipway/kube';
import {
  done,
  edit,
  keyOf,
  markTrue,
  type Node,
  nodes as nodeResource,
  type Outcome,
  setV1beta1Condition,
  wait,
} from '@slipway/runtime';
import { nodeAnnotations, nodeTaints } from '../api/index.js';
import { isReady } from './observe-nodes.js';
import { changePool, changeV1beta1, type ObservedPool, type PoolPass, statusOf } from './pool-pass.js';

/** A Node that is not there yet is told by the workload cluster; this is for when it was not. */
const notAllFoundMs = 30_000;

/** Notes which Nodes the pool has, marks them as its own, and deletes those whose machines are gone. */
export async function reconcileNodes(pass: PoolPass): Promise<Outcome> {
  const { nodes, pool, cluster } = pass;
  if (nodes === undefined || cluster === undefined) return done();
  const wanted = pool.spec.replicas;
  if ((pool.spec.providerIDList ?? []).length === 0 && wanted !== 0) return done();
  const client = await pass.tools.workloads.client(keyOf(cluster));
  await deleteRetired(pass, client, nodes);
  for (const node of nodes) {
    const marked = markedNode(pool, node);
    if (marked !== node) await patchNode(pass, client, marked);
  }
  return note(pass, nodes);
}

/** Taints are one list for many writers: with the version that they were read at nobody's are lost. */
async function patchNode(
  { context }: PoolPass,
  client: WorkloadClient,
  { metadata, spec }: Frozen<Node>,
): Promise<void> {
  const { name = '', resourceVersion = '', annotations = {} } = metadata;
  const taints = (spec?.taints ?? []) as readonly JsonObject[];
  const patch = { metadata: { resourceVersion, annotations }, spec: { taints } };
  await client.patch(nodeResource, { namespace: '', name }, { type: 'merge', patch }, { signal: context.signal });
}

type WorkloadClient = Awaited<ReturnType<PoolPass['tools']['workloads']['client']>>;

/** The provider takes an ID off its list when the machine is gone. */
async function deleteRetired(pass: PoolPass, client: WorkloadClient, current: readonly Frozen<Node>[]): Promise<void> {
  const kept = new Set(current.map(({ metadata }) => metadata.name));
  const retired = (pass.pool.status?.nodeRefs ?? []).filter(({ name }) => !kept.has(name));
  await deleteNodes(pass, client, retired, (node) => {
    const id = node.spec?.providerID;
    return id !== undefined && !(pass.pool.spec.providerIDList ?? []).includes(id);
  });
}

export async function deleteNodes(
  { context }: PoolPass,
  client: WorkloadClient,
  references: readonly { readonly name?: string }[],
  isToGo: (node: Frozen<Node>) => boolean,
): Promise<void> {
  for (const { name = '' } of references) {
    const key = { namespace: '', name };
    try {
      const node = await client.get(nodeResource, key, { signal: context.signal });
      if (isToGo(node)) await client.delete(nodeResource, key, { signal: context.signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

/** The Node with the way back to its pool, open for work. */
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

function note(pass: PoolPass, nodes: readonly Frozen<Node>[]): Outcome {
  const before = pass.pool.status?.nodeRefs ?? [];
  const ready = nodes.filter(isReady).length;
  changePool(pass, (draft) => {
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
  if (before.length !== nodes.length) tellNodes(pass, nodes);
  const complete = ready === (pass.pool.status?.replicas ?? 0) && nodes.length === ready;
  changeV1beta1(pass, (target) => {
    if (complete) markTrue(target, 'ReplicasReady', pass.nowMs);
    else
      setV1beta1Condition(
        target,
        { type: 'ReplicasReady', status: 'False', severity: 'Info', reason: 'WaitingForReplicasReady' },
        pass.nowMs,
      );
  });
  if (complete) return done();
  return wait({ ms: notAllFoundMs, reason: 'WaitingForReplicasReady', message: `${ready} Nodes are ready` });
}

function tellNodes({ context, pool }: PoolPass, nodes: readonly Frozen<Node>[]): void {
  if (nodes.length === 0) return;
  const names = nodes.map(({ metadata }) => metadata.name ?? '').join(', ');
  context.events.record(pool, { type: 'Normal', reason: 'SuccessfulSetNodeRefs', message: names });
}
