import type { ResourceDefinition } from '../../contract/index.js';
import type { ResponseKind, ServedGroup, ServedResource, ServedVersion } from './served-groups.js';

export type AggregatedVersion = 'v2' | 'v2beta1';

export function apiGroupDiscoveryList(groups: readonly ServedGroup[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(groupDiscovery),
  };
}

function groupDiscovery(group: ServedGroup): object {
  return {
    metadata: group.name === '' ? {} : { name: group.name },
    versions: group.versions.map(versionDiscovery),
  };
}

function versionDiscovery(version: ServedVersion): object {
  return {
    version: version.name,
    resources: version.resources.map((resource) => resourceDiscovery(resource, version.name)),
    freshness: 'Current',
  };
}

function resourceDiscovery({ definition, verbs, subresources }: ServedResource, version: string): object {
  return {
    resource: definition.plural,
    responseKind: responseKind(definition, version, { group: definition.group, version, kind: definition.kind }),
    scope: definition.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: definition.singular,
    verbs,
    ...(definition.shortNames.length > 0 ? { shortNames: definition.shortNames } : {}),
    ...(definition.categories.length > 0 ? { categories: definition.categories } : {}),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(({ name, kind, verbs: subresourceVerbs }) => ({
            subresource: name,
            responseKind: responseKind(definition, version, kind),
            verbs: subresourceVerbs,
          })),
        }),
  };
}

/**
 * Returns the response kind of a resource. For built-in kinds, group and version are empty if they equal those of the enclosing
 * document.
 */
function responseKind(definition: ResourceDefinition, version: string, kind: ResponseKind): ResponseKind {
  const enclosed = kind.group === definition.group && kind.version === version;
  return enclosed && !definition.custom ? { group: '', version: '', kind: kind.kind } : kind;
}
