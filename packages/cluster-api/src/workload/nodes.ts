import type { Frozen } from '@slipway/kube';
import type { ClusterCache, InformerOptions, Node, ObjectKey } from '@slipway/runtime';
import { nodes, ReconcileError } from '@slipway/runtime';

const byProviderId = 'providerID';

/** All who look at Nodes share one informer for each workload cluster. */
export const nodeInformer: InformerOptions<Node> = {
  stripManagedFields: true,
  indexes: { [byProviderId]: ({ spec }) => (spec?.providerID === undefined ? [] : [spec.providerID]) },
};

/** The Node of a provider ID; undefined while there is none. Throws ClusterDisconnected, and when there are several. */
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
  // Nothing can be told of a machine that two Nodes say they are.
  const names = found.map(({ metadata }) => metadata.name ?? '').sort();
  const message = `unexpectedly found more than one Node matching the providerID ${providerId}: ${names.join(', ')}`;
  throw new ReconcileError('AmbiguousNode', message, {
    retry: 'later',
    remedy: 'delete the Nodes that belong to no machine',
  });
}

/** Ready is Unknown when nobody has heard from the kubelet for a while. */
export function isUnreachable(node: Frozen<Node>): boolean {
  return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}
