import type { CaBundleTargets, PolicyRule, Resource } from '@slipway/runtime';

/**
 * What a manager may do in a cluster, and no more: to look at what its controllers watch, to write what they write, to keep
 * its definitions and webhooks, and to ask who may see its metrics.
 */
export function managerRules(
  watched: readonly Resource[],
  writes: readonly PolicyRule[],
  own: CaBundleTargets,
): PolicyRule[] {
  const definitions = [...(own.customResourceDefinitions ?? [])].sort();
  return [
    ...watchRules(watched),
    ...writes,
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'list', 'watch'] },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions', 'customresourcedefinitions/status'],
      resourceNames: definitions,
      verbs: ['update', 'patch'],
    },
    ...webhookRules('mutatingwebhookconfigurations', own.mutating),
    ...webhookRules('validatingwebhookconfigurations', own.validating),
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ];
}

/** One rule for each group, as people write them. */
function watchRules(watched: readonly Resource[]): PolicyRule[] {
  const groups = new Map<string, Set<string>>();
  for (const { group, plural } of watched) groups.set(group, (groups.get(group) ?? new Set()).add(plural));
  return [...groups]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([group, plurals]) => ({
      apiGroups: [group],
      resources: [...plurals].sort(),
      verbs: ['get', 'list', 'watch'],
    }));
}

function webhookRules(resource: string, names: readonly string[] = []): PolicyRule[] {
  if (names.length === 0) return [];
  return [
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: [resource],
      resourceNames: [...names],
      verbs: ['get', 'update'],
    },
  ];
}
