import { componentResources, providerLabels, type ProviderType } from '@slipway/clusterctl';
import { type Client, ifPresent, type RequestOptions } from '@slipway/runtime';

export interface ComponentsOwner {
  readonly name: string;
  readonly type: ProviderType;
  readonly namespace: string;
}

/**
 * Deletes what bears the labels of a provider. Can be repeated. What is in no namespace is left to a namesake elsewhere, if there
 * is one.
 */
export async function deleteComponents(
  client: Client,
  owner: ComponentsOwner,
  options: RequestOptions,
  { clusterWide }: { readonly clusterWide: boolean } = { clusterWide: true },
): Promise<void> {
  const labelSelector = Object.entries(providerLabels(owner))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  for (const resource of componentResources) {
    if (!resource.namespaced && !clusterWide) continue;
    const scope = resource.namespaced ? { namespace: owner.namespace } : {};
    const { items } = await client.list(resource, { ...scope, labelSelector, metadataOnly: true, ...options });
    for (const { metadata } of items) {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      await ifPresent(client.delete(resource, key, { propagationPolicy: 'Background', ...options }));
    }
  }
}
