import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  daemonSets,
  deployments,
  mutatingWebhookConfigurations,
  type Resource,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  services,
  validatingWebhookConfigurations,
} from '@slipway/runtime';

/**
 * Resources that are deleted with a provider, in this order: webhook configurations before the Deployments that serve
 * them, because deleting any object of the provider would otherwise call a webhook without a server. CRDs stay, because
 * deleting them deletes all of the user's objects. Certificates are garbage collected with their owner. The namespace
 * belongs to the user.
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
