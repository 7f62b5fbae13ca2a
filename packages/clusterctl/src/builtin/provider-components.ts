import type { KubeObject } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';
import { managerDeployment, podServices, webhookService } from './manager-workload.js';
import {
  accountName,
  namespaceOf,
  ownLabels,
  type ProviderDeployment,
  webhookServiceName,
} from './provider-deployment.js';

const rbac = 'rbac.authorization.k8s.io';

/**
 * Returns all objects of a provider. Names of cluster-scoped objects start with the namespace, by which stock clusterctl
 * recognizes them.
 */
export function providerObjects(provider: ProviderDeployment): readonly KubeObject[] {
  const namespace = namespaceOf(provider);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: ownLabels(provider) } },
    ...provider.definitions.map((definition) => withLabels(definition, ownLabels(provider))),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadataOf(provider, accountName(provider)) },
    ...accessObjects(provider),
    webhookService(provider),
    ...podServices(provider),
    managerDeployment(provider),
    ...provider.webhookConfigurations.map((each) => withLabels(each, ownLabels(provider))),
  ];
}

function metadataOf(provider: ProviderDeployment, name: string): KubeObject['metadata'] {
  return { name, namespace: namespaceOf(provider), labels: ownLabels(provider) };
}

function withLabels(object: KubeObject, more: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...more } } };
}

function accessObjects(provider: ProviderDeployment): KubeObject[] {
  const namespace = namespaceOf(provider);
  const clusterWide = (name: string): KubeObject['metadata'] => ({
    name: `${namespace}-${name}`,
    labels: ownLabels(provider),
  });
  const subjects = [{ kind: 'ServiceAccount', name: accountName(provider), namespace }];
  const carried = provider.aggregates ?? [];
  const [gathers] = carried;
  const own = clusterWide('manager-role');
  const bound = gathers === undefined ? own : clusterWide('aggregated-manager-role');
  const aggregation: KubeObject = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: bound,
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [gathers ?? '']: 'true' } }] },
    // The API server fills in the aggregated rules.
    rules: [],
  };
  const roleLabels = { ...own.labels, ...Object.fromEntries(carried.map((label) => [label, 'true'])) };
  return [
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { ...own, labels: roleLabels }, rules: provider.rules },
    ...(gathers === undefined ? [] : [aggregation]),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: clusterWide('manager-rolebinding'),
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: bound.name },
      subjects,
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: metadataOf(provider, `${provider.prefix}-manager-role`),
      rules: ownRules(provider),
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: metadataOf(provider, `${provider.prefix}-manager-rolebinding`),
      roleRef: { apiGroup: rbac, kind: 'Role', name: `${provider.prefix}-manager-role` },
      subjects,
    },
  ];
}

/** Returns the permissions in the provider's own namespace, for leader election, the webhook certificate and events. */
function ownRules(provider: ProviderDeployment): PolicyRule[] {
  return [
    {
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: ['get', 'list', 'create', 'update', 'delete'],
    },
    // RBAC cannot restrict create requests by resource name.
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: [`${webhookServiceName(provider)}-cert`],
      verbs: ['get', 'update'],
    },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ];
}
