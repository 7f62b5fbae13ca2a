import { providerLabels, type ProviderType } from '@slipway/clusterctl';
import {
  type Client,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  daemonSets,
  deployments,
  ifPresent,
  mutatingWebhookConfigurations,
  type RequestOptions,
  type Resource,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  validatingWebhookConfigurations,
} from '@slipway/runtime';

/**
 * What goes with a provider, in this order: webhooks before those who answer them, or deleting any object of the provider
 * would wait for somebody who is not there. Definitions stay, for with them would go all of the user's objects; certificates
 * have an owner and go by that. The namespace is the user's.
 */
export const componentResources: readonly Resource[] = [
  validatingWebhookConfigurations,
  mutatingWebhookConfigurations,
  deployments,
  daemonSets,
  services,
  roleBindings,
  clusterRoleBindings,
  roles,
  clusterRoles,
  serviceAccounts,
  configMaps,
  secrets,
];

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
