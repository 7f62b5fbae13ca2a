import { type Frozen, isReason, type JsonObject } from '@slipway/kube';
import { done, isDeleting, type Node, nodes, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { labels } from '../api/index.js';
import { infrastructureMachine } from '../contract/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import { ClusterDisconnected, markFalse, markTrue, markUnknown } from '../toolkit/index.js';
import { connectedCluster, nodeByProviderId } from '../workload/index.js';
import { changeMachine, changeV1beta1, type MachineScope, recordEvent, statusOf } from './machine-scope.js';
import { isOutdated } from './machine-status.js';
import { nodeSummaryV1beta1 } from './node-conditions.js';
import { syncNode } from './node-sync.js';
import { watchNodes } from './node-watch.js';

/** Finds the Node of the machine by provider ID, sets nodeRef, and syncs labels, annotations and taints to it. */
export async function reconcileNode(scope: MachineScope): Promise<Outcome> {
  const { providerID } = scope.machine.spec;
  if (providerID === undefined) {
    nodeNotHealthy(scope, { reason: 'WaitingForNodeRef', severity: 'Info', message: '' });
    return done();
  }
  // Before the infrastructure is provisioned and after the Cluster was deleted, there is no API server to query.
  if (scope.cluster?.status?.initialization?.infrastructureProvisioned !== true) return done();
  const found = await findNode(scope, providerID);
  if (found.outcome !== undefined) return found.outcome;
  if (found.node === undefined) return nodeMissing(scope, providerID);
  noteNode(scope, found.node);
  await patchNode(scope, found.node);
  summarizeNode(scope, found.node);
  return done();
}

async function findNode(
  scope: MachineScope,
  providerId: string,
): Promise<{ readonly node?: Frozen<Node> | undefined; readonly outcome?: Outcome }> {
  const { context, dependencies, clusterKey } = scope;
  scope.node = { type: 'failed' };
  try {
    connectedCluster(dependencies.workloads, clusterKey);
    await watchNodes(dependencies.workloads, clusterKey, context);
    const node = await nodeByProviderId(dependencies.workloads, clusterKey, providerId, context.signal);
    scope.node = node === undefined ? { type: 'missing' } : { type: 'found', node };
    return { node };
  } catch (error) {
    if (error instanceof ClusterDisconnected) {
      scope.node = { type: 'disconnected' };
      // A change of a control plane machine may mean that its API server has started: retry the connection now.
      if (isControlPlaneMachine(scope.machine)) dependencies.workloads.hurry(clusterKey);
      return { outcome: wait({ reason: 'ClusterDisconnected', message: error.message }) };
    }
    scope.node = { type: 'failed', error };
    const message = error instanceof Error ? error.message : String(error);
    recordEvent(scope, { type: 'Warning', reason: 'FailedToRetrieveNode', message });
    const conditionMessage = 'Failed to get the Node for this Machine by ProviderID';
    changeV1beta1(scope, (target) =>
      markUnknown(target, 'NodeHealthy', { reason: 'NodeInspectionFailed', message: conditionMessage }, scope.nowMs),
    );
    throw error;
  }
}

function nodeMissing(scope: MachineScope, providerId: string): Outcome {
  const { machine } = scope;
  if (isDeleting(machine)) return done();
  const name = machine.status?.nodeRef?.name;
  if (name !== undefined) {
    nodeNotHealthy(scope, { reason: 'NodeNotFound', severity: 'Error', message: '' });
    throw new ReconcileError('NodeDeleted', `Node ${name} of Machine ${machine.metadata.name ?? ''} has been deleted`, {
      retry: 'later',
      remedy: 'delete the Machine, or create a MachineHealthCheck that replaces it',
    });
  }
  const message = 'Waiting for a node with matching ProviderID to exist';
  nodeNotHealthy(scope, { reason: 'NodeProvisioning', severity: 'Warning', message });
  return wait({ reason: 'NodeProvisioning', message: `no Node has spec.providerID ${providerId} yet` });
}

/** Records the Node in the status. nodeRef is set once, nodeInfo may change. */
function noteNode(scope: MachineScope, node: Frozen<Node>): void {
  const { name = '' } = node.metadata;
  const isNew = scope.machine.status?.nodeRef === undefined;
  const info = node.status?.nodeInfo;
  changeMachine(scope, (draft) => {
    const status = statusOf(draft);
    status.nodeRef ??= { name };
    if (info !== undefined) status.nodeInfo = { ...info, kubeProxyVersion: info.kubeProxyVersion ?? '' };
  });
  if (isNew) recordEvent(scope, { type: 'Normal', reason: 'SuccessfulSetNodeRef', message: name });
}

const patchAttemptsMax = 3;

async function patchNode(scope: MachineScope, first: Frozen<Node>): Promise<void> {
  const { context, dependencies, clusterKey, infrastructure } = scope;
  const interruptible =
    infrastructure.type === 'found' &&
    infrastructureMachine.read(infrastructure.object, infrastructure.kind.contract).interruptible;
  let node = first;
  for (let attempt = 1; ; attempt += 1) {
    const after = syncNode({
      machine: scope.machine,
      node,
      interruptible,
      outdated: isOutdated(scope.machineSet, scope.machineDeployment),
      propagateTaints: dependencies.featureGates.isOpen('MachineTaintPropagation'),
      additionalLabels: dependencies.additionalLabels,
      additionalAnnotations: dependencies.additionalAnnotations,
    });
    if (after === node) return;
    const on = connectedCluster(dependencies.workloads, clusterKey);
    const key = { namespace: '', name: node.metadata.name ?? '' };
    const body = { type: 'merge', patch: nodePatch(node, after) } as const;
    const message = `Synced Node ${key.name} with Machine ${scope.machine.metadata.name ?? ''}`;
    try {
      await context.change({ verb: 'patch', resource: nodes, key, body, on, reason: 'NodeSynced', message });
      break;
    } catch (error) {
      if (!isReason(error, 'Conflict') || attempt >= patchAttemptsMax) throw error;
      node = await on.read.get(nodes, key, { signal: context.signal });
    }
  }
  if (interruptible && !Object.hasOwn(first.metadata.labels ?? {}, labels.interruptible)) {
    const message = first.metadata.name ?? '';
    recordEvent(scope, { type: 'Normal', reason: 'SuccessfulSetInterruptibleNodeLabel', message });
  }
}

/**
 * Returns the patch of a Node. It contains the resourceVersion that it was computed from, because other writers change taints
 * too.
 */
function nodePatch(before: Frozen<Node>, after: Frozen<Node>): JsonObject {
  const removed = (
    was: Readonly<Record<string, string>> | undefined,
    is: Readonly<Record<string, string>> | undefined,
  ): Record<string, string | null> => ({
    ...Object.fromEntries(Object.keys(was ?? {}).map((key) => [key, null])),
    ...is,
  });
  return {
    metadata: {
      resourceVersion: before.metadata.resourceVersion ?? '',
      labels: removed(before.metadata.labels, after.metadata.labels),
      annotations: removed(before.metadata.annotations, after.metadata.annotations),
    },
    ...(after.spec?.taints === before.spec?.taints ? {} : { spec: { taints: taintsOf(after) } }),
  };
}

function taintsOf(node: Frozen<Node>): JsonObject[] {
  return (node.spec?.taints ?? []).map((taint) => ({ ...taint }));
}

function summarizeNode(scope: MachineScope, node: Frozen<Node>): void {
  if (scope.infrastructure.type !== 'found' || isDeleting(scope.infrastructure.object))
    return nodeNotHealthy(scope, { reason: 'Deleting', severity: 'Info', message: '' });
  const { status, message } = nodeSummaryV1beta1(node);
  const reason = 'NodeConditionsFailed';
  if (status === 'False') return nodeNotHealthy(scope, { reason, severity: 'Warning', message });
  changeV1beta1(scope, (target) => {
    if (status === 'True') markTrue(target, 'NodeHealthy', scope.nowMs);
    else markUnknown(target, 'NodeHealthy', { reason, message }, scope.nowMs);
  });
}

function nodeNotHealthy(
  scope: MachineScope,
  cause: { readonly reason: string; readonly severity: 'Error' | 'Warning' | 'Info'; readonly message: string },
): void {
  changeV1beta1(scope, (target) => markFalse(target, 'NodeHealthy', cause, scope.nowMs));
}
