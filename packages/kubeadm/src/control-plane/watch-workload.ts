import { labels } from '@slipway/cluster-api';
import { deepEqual, type Frozen } from '@slipway/kube';
import { keyOf, type Node, nodes, type Pod, pods } from '@slipway/runtime';
import type { ControlPlanePass } from './control-plane-pass.js';

/** The label that kubeadm puts on the static Pods of a control plane. */
const staticPods = { namespace: 'kube-system', labelSelector: 'tier=control-plane', stripManagedFields: true };
/** As all who look at Nodes ask for them: they share one informer. */
const allNodes = { stripManagedFields: true };

/**
 * Has the control plane looked at when something in its cluster changes that its conditions tell of. A handful of Pods and
 * the Nodes that are watched anyway cost less than asking again and again, and a step never waits longer than it must.
 */
export async function watchWorkload(pass: ControlPlanePass): Promise<void> {
  const { workloads } = pass.world;
  const cluster = pass.clusterKey;
  if (workloads.connectedClient(cluster) === undefined) return;
  const { enqueue } = pass.context;
  const key = keyOf(pass.original);
  const look = (): void => enqueue(key);
  await workloads.watch<Pod>(cluster, {
    name: 'kubeadmcontrolplane pods',
    resource: pods,
    options: staticPods,
    handler: { added: look, deleted: look, updated: (next, last) => void (hasPodChanged(next, last) && look()) },
  });
  await workloads.watch<Node>(cluster, {
    name: 'kubeadmcontrolplane nodes',
    resource: nodes,
    options: allNodes,
    handler: {
      added: (node) => void (isControlPlane(node) && look()),
      deleted: (node) => void (isControlPlane(node) && look()),
      updated: (next, last) => void (isControlPlane(next) && hasNodeChanged(next, last) && look()),
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

/** Heartbeats are none of our business. */
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
