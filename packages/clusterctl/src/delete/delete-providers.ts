import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  customResourceDefinitions,
  ifPresent,
  type RequestOptions,
  type Resource,
} from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { findInstalled, type InstalledProvider, instanceName, providerLabels } from '../inventory/index.js';
import type { NamedProviders } from '../install/index.js';
import { labelOf, parseProviderReference, providerTypes } from '../provider/index.js';
import { type DiscoveringClient, listResourceTypes } from './resource-types.js';

/** An object that belongs to a provider. */
export interface FoundObject {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** What to delete in addition to the components. */
export interface DeleteScope {
  readonly inventory: boolean;
  readonly definitions: boolean;
  readonly namespace: boolean;
}

/** Returns the installed providers that the user selected. */
export function chooseInstalled(
  named: NamedProviders,
  installed: readonly InstalledProvider[],
): readonly InstalledProvider[] {
  return providerTypes.flatMap((type) =>
    (named[type] ?? []).map((text) => {
      const { name, version } = parseProviderReference(text);
      const provider = findInstalled(installed, { name, type });
      if (provider === undefined)
        throw new ClusterctlError(`failed to identify the namespace for the "${name}" provider`, {
          remedy: `installed providers: ${installed.map(labelOf).join(', ') || 'none'}`,
        });
      if (version !== undefined && version !== provider.version)
        throw new ClusterctlError(`failed to identify the provider "${name}" with version "${version}"`, {
          remedy: `specify the installed version ${provider.version}, or no version`,
        });
      return provider;
    }),
  );
}

/** Returns all objects with the labels of a provider, in its namespace and cluster-scoped. */
export async function findProviderObjects(
  client: DiscoveringClient,
  provider: InstalledProvider,
  scope: DeleteScope,
  options: RequestOptions = {},
): Promise<readonly FoundObject[]> {
  const types = (await listResourceTypes(client, options)).filter((type) => isInScope(type, scope));
  const labelSelector = selectorOf(provider);
  const found = await Promise.all(
    types.map(async (resource) => {
      const namespace = resource.namespaced ? { namespace: provider.namespace } : {};
      const list = await ifPresent(
        client.list(resource, { ...namespace, labelSelector, metadataOnly: true, ...options }),
      );
      return (list?.items ?? []).map((item) => foundOf(resource, item));
    }),
  );
  const objects = found
    .flat()
    .filter(({ resource, name }) => resource.kind !== 'Namespace' || name === provider.namespace);
  // If the namespace is deleted too, its objects are deleted with it.
  return scope.namespace ? objects.filter(({ namespace }) => namespace === '') : objects;
}

function isInScope({ kind, group }: Resource, scope: DeleteScope): boolean {
  if (kind === 'CustomResourceDefinition') return scope.definitions;
  if (kind === 'Namespace') return scope.namespace;
  // Endpoints and EndpointSlices are deleted with their Service.
  if (kind === 'Endpoints' || kind === 'EndpointSlice') return false;
  return group !== 'clusterctl.cluster.x-k8s.io' || scope.inventory;
}

function foundOf(resource: Resource, { metadata }: Frozen<KubeObject>): FoundObject {
  return { resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}

function selectorOf(provider: InstalledProvider): string {
  return Object.entries(providerLabels(provider))
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

export async function deleteObjects(
  client: Client,
  objects: readonly FoundObject[],
  options: RequestOptions = {},
): Promise<void> {
  // Delete the inventory entry last, so that an interrupted deletion can be run again.
  const isEntry = ({ resource }: FoundObject): boolean => resource.kind === 'Provider';
  for (const { resource, namespace, name } of [...objects.filter((each) => !isEntry(each)), ...objects.filter(isEntry)])
    await ifPresent(client.delete(resource, { namespace, name }, { propagationPolicy: 'Background', ...options }));
}

/** Throws if objects of a CRD exist, because deleting the CRD would delete them. */
export async function checkNoObjects(
  client: Client,
  providers: readonly InstalledProvider[],
  options: RequestOptions = {},
): Promise<void> {
  const problems: string[] = [];
  for (const provider of providers) {
    const kinds: string[] = [];
    const { items } = await client.list(customResourceDefinitions, { labelSelector: selectorOf(provider), ...options });
    for (const { spec } of items) {
      const version = spec.versions.find(({ storage }) => storage)?.name ?? '';
      const { plural, kind } = spec.names;
      const resource = { group: spec.group, version, kind, plural, namespaced: spec.scope === 'Namespaced' };
      const list = await ifPresent(client.list(resource, { limit: 1, metadataOnly: true, ...options }));
      if ((list?.items.length ?? 0) > 0) kinds.push(kind);
    }
    if (kinds.length > 0)
      problems.push(`found existing objects for provider CRDs "${instanceName(provider)}": [${kinds.join(', ')}]`);
  }
  if (problems.length > 0)
    throw new ClusterctlError(
      `${problems.join('; ')}. Please delete these objects first before running clusterctl delete with --include-crd`,
    );
}
