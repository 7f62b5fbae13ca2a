import type { Frozen } from '@slipway/kube';
import type { InformerOptions, Node, ObjectKey } from '@slipway/runtime';
import { nodes, ReconcileError } from '@slipway/runtime';
import type { ClusterCache } from '../toolkit/index.js';

const byProviderId = 'providerID';

/** Options of the informer on Nodes. All users of a workload cluster share one informer. */
export const nodeInformer: InformerOptions<Node> = {
  stripManagedFields: true,
  indexes: { [byProviderId]: ({ spec }) => (spec?.providerID === undefined ? [] : [spec.providerID]) },
};

/**
 * Returns the Node with a provider ID. Undefined if there is none. Throws ClusterDisconnected, or an error if there are several.
 */
export async function nodeByProviderId(
  workloads: ClusterCache,
  cluster: ObjectKey,
  providerId: string,
  signal: AbortSignal,
): Promise<Frozen<Node> | undefined> {
  const informer = await workloads.informer(cluster, nodes, nodeInformer);
  if (!informer.synced) await informer.whenSynced({ signal });
  const found = informer.byIndex(byProviderId, providerId);
  if (found.length < 2) return found[0];
  // Several Nodes have the provider ID of one machine: it is unknown which one is right.
  const names = found.map(({ metadata }) => metadata.name ?? '').sort();
  const message = `unexpectedly found more than one Node matching the providerID ${providerId}: ${names.join(', ')}`;
  throw new ReconcileError('AmbiguousNode', message, {
    retry: 'later',
    remedy: 'delete the Nodes that do not belong to a Machine',
  });
}

/** Whether the kubelet stopped posting its status: Ready is Unknown. */
export function isUnreachable(node: Frozen<Node>): boolean {
  return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}
