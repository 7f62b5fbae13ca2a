import { componentResources, providerLabels, type ProviderType } from '@slipway/clusterctl';
import type { Cause, RequestOptions, Writer } from '@slipway/runtime';

export interface ComponentsOwner {
  readonly name: string;
  readonly type: ProviderType;
  readonly namespace: string;
}

/**
 * Deletes the objects with the labels of a provider. Idempotent. Cluster-scoped objects are kept if a provider of the same
 * name exists in another namespace.
 */
export async function deleteComponents(
  writer: Pick<Writer, 'read' | 'change'>,
  owner: ComponentsOwner,
  { signal, reason, message }: RequestOptions & Pick<Cause, 'reason' | 'message'>,
  { clusterWide }: { readonly clusterWide: boolean } = { clusterWide: true },
): Promise<void> {
  const labelSelector = Object.entries(providerLabels(owner))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  for (const resource of componentResources) {
    if (!resource.namespaced && !clusterWide) continue;
    const scope = resource.namespaced ? { namespace: owner.namespace } : {};
    const { items } = await writer.read.list(resource, { ...scope, labelSelector, metadataOnly: true, signal });
    for (const { metadata } of items) {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      const options = { propagationPolicy: 'Background' } as const;
      await writer.change({ verb: 'delete', resource, key, options, reason, message });
    }
  }
}
