import type { Frozen } from '@slipway/kube';
import type { ClusterCache, InformerOptions, Node, ObjectKey } from '@slipway/runtime';
import { nodes } from '@slipway/runtime';

const byProviderId = 'providerID';

/** All who look at Nodes share one informer for each workload cluster. */
export const nodeInformer: InformerOptions<Node> = {
  stripManagedFields: true,
  indexes: { [byProviderId]: ({ spec }) => (spec?.providerID === undefined ? [] : [spec.providerID]) },
};

/** Two Nodes say that they are the same machine: nothing can be told of it until one of them is gone. */
export class AmbiguousNodeError extends Error {
  constructor(providerId: string, names: readonly string[]) {
    super(
      `unexpectedly found more than one Node matching the providerID ${providerId}: ${names.join(', ')}; ` +
        'delete those that do not belong to a machine',
    );
    this.name = 'AmbiguousNodeError';
  }
}

/** The Node of a provider ID; undefined while there is none. Throws ClusterDisconnected and AmbiguousNodeError. */
export async function nodeByProviderId(
  workloads: ClusterCache,
  cluster: ObjectKey,
  providerId: string,
  signal: AbortSignal,
): Promise<Frozen<Node> | undefined> {
  const informer = await workloads.informer(cluster, nodes, nodeInformer);
  if (!informer.synced) await informer.whenSynced({ signal });
  const found = informer.byIndex(byProviderId, providerId);
  if (found.length > 1) {
    const names = found.map(({ metadata }) => metadata.name ?? '').sort();
    throw new AmbiguousNodeError(providerId, names);
  }
  return found[0];
}

/** Ready is Unknown when nobody has heard from the kubelet for a while. */
export function isUnreachable(node: Frozen<Node>): boolean {
  return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
}
