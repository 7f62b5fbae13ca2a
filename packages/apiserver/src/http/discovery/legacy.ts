import { formatApiVersion } from '@slipway/kube';
import type { ServedGroup, ServedResource, ServedSubresource, ServedVersion } from './served-groups.js';

export function apiVersions(serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

export function apiGroupList(groups: readonly ServedGroup[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupFields) };
}

export function apiGroup(group: ServedGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) };
}

function groupFields(group: ServedGroup): object {
  const versions = group.versions.map(({ name: version }) => ({
    groupVersion: formatApiVersion({ group: group.name, version }),
    version,
  }));
  return { name: group.name, versions, preferredVersion: versions[0] };
}

export function apiResourceList(group: ServedGroup, version: ServedVersion): object {
  return {
    kind: 'APIResourceList',
    // Like upstream, the resource list of the core group has no apiVersion.
    ...(group.name === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: formatApiVersion({ group: group.name, version: version.name }),
    resources: version.resources.flatMap((resource) => [
      resourceFields(resource),
      ...resource.subresources.map((subresource) => subresourceFields(group, version, resource, subresource)),
    ]),
  };
}

function resourceFields({ definition, verbs, storageVersionHash }: ServedResource): object {
  return {
    name: definition.plural,
    singularName: definition.singular,
    namespaced: definition.namespaced,
    kind: definition.kind,
    verbs,
    ...(definition.shortNames.length > 0 ? { shortNames: definition.shortNames } : {}),
    ...(definition.categories.length > 0 ? { categories: definition.categories } : {}),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
}

function subresourceFields(
  group: ServedGroup,
  version: ServedVersion,
  { definition }: ServedResource,
  { name, kind, verbs }: ServedSubresource,
): object {
  // Set group and version only if they differ from those of the list.
  const foreign = kind.group !== group.name || kind.version !== version.name;
  return {
    name: `${definition.plural}/${name}`,
    singularName: '',
    namespaced: definition.namespaced,
    ...(foreign ? { group: kind.group, version: kind.version } : {}),
    kind: kind.kind,
    verbs,
  };
}
