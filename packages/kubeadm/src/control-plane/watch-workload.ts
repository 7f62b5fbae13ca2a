import { labels } from '@slipway/cluster-api';
import { deepEqual, type Frozen } from '@slipway/kube';
import { keyOf, type Node, nodes, type Pod, pods } from '@slipway/runtime';
import type { ControlPlaneScope } from './control-plane-scope.js';

/** Selects the static Pods of a control plane by the label that kubeadm sets. */
const staticPods = { namespace: 'kube-system', labelSelector: 'tier=control-plane', stripManagedFields: true };
/** The informer options that all controllers use for Nodes, so that they share one informer. */
const allNodes = { stripManagedFields: true };

/**
 * Watches the workload cluster, so that changes which the conditions report trigger a reconcile. Watching a few Pods, and Nodes
 * that are watched anyway, costs less than polling, and no step waits longer than necessary.
 */
export async function watchWorkload(scope: ControlPlaneScope): Promise<void> {
  const { workloads } = scope.dependencies;
  const cluster = scope.clusterKey;
  if (workloads.connectedCluster(cluster) === undefined) return;
  const { enqueue } = scope.context;
  const key = keyOf(scope.original);
  const reconcile = (): void => enqueue(key);
  await workloads.watch<Pod>(cluster, {
    name: 'kubeadmcontrolplane pods',
    resource: pods,
    options: staticPods,
    handler: {
      added: reconcile,
      deleted: reconcile,
      updated: (next, last) => void (hasPodChanged(next, last) && reconcile()),
    },
  });
  await workloads.watch<Node>(cluster, {
    name: 'kubeadmcontrolplane nodes',
    resource: nodes,
    options: allNodes,
    handler: {
      added: (node) => void (isControlPlane(node) && reconcile()),
      deleted: (node) => void (isControlPlane(node) && reconcile()),
      updated: (next, last) => void (isControlPlane(next) && hasNodeChanged(next, last) && reconcile()),
    },
  });
}

function hasPodChanged(next: Frozen<Pod>, last: Frozen<Pod>): boolean {
  return (
    next.status?.phase !== last.status?.phase ||
    next.metadata.deletionTimestamp !== last.metadata.deletionTimestamp ||
    statesOf(next) !== statesOf(last)
  );
}

function isControlPlane(node: Frozen<Node>): boolean {
  return Object.hasOwn(node.metadata.labels ?? {}, labels.nodeRoleControlPlane);
}

/** Whether a Node changed in more than its heartbeats. */
function hasNodeChanged(next: Frozen<Node>, last: Frozen<Node>): boolean {
  return (
    statesOf(next) !== statesOf(last) ||
    !deepEqual(next.spec?.taints, last.spec?.taints) ||
    !deepEqual(next.metadata.labels, last.metadata.labels)
  );
}

interface Reporting {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function statesOf({ status }: Reporting): string {
  return (status?.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`).join();
}
