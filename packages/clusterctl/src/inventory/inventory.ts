import { labels, type Provider, providers } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import { customResourceDefinitions, ifPresent, type Reader, type RequestOptions } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { labelOf, type ProviderConfig, type ProviderType } from '../provider/index.js';
import { currentContract } from '../repository/index.js';

/** A provider in the inventory of a management cluster. */
export interface InstalledProvider {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  readonly namespace: string;
}

/** Returns all installed providers. Empty if the inventory CRD is not served. */
export async function listInstalled(read: Reader, options: RequestOptions = {}): Promise<readonly InstalledProvider[]> {
  try {
    const { items } = await read.list(providers, options);
    return items.map(installedOf);
  } catch (error) {
    if (isReason(error, 'NotFound')) return [];
    throw error;
  }
}

export function installedOf({
  metadata,
  providerName = '',
  type = '',
  version = '',
}: Frozen<Provider>): InstalledProvider {
  return { name: providerName, type: type as ProviderType, version, namespace: metadata.namespace ?? '' };
}

/** Returns the name of an installed provider for messages: `capi-system/cluster-api`. */
export function instanceName(provider: InstalledProvider): string {
  return `${provider.namespace}/${labelOf(provider)}`;
}

/** Returns the provider of a type. Undefined unless exactly one is installed. */
export function onlyProvider(installed: readonly InstalledProvider[], type: ProviderType): string | undefined {
  const names = new Set(installed.filter((provider) => provider.type === type).map(({ name }) => name));
  return names.size === 1 ? [...names][0] : undefined;
}

export function findInstalled(
  installed: readonly InstalledProvider[],
  desired: Pick<ProviderConfig, 'name' | 'type'>,
): InstalledProvider | undefined {
  const found = installed.filter(({ name, type }) => name === desired.name && type === desired.type);
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the core provider. Throws unless exactly one is installed. */
export function coreOf(installed: readonly InstalledProvider[]): InstalledProvider {
  const [core, ...others] = installed.filter(({ type }) => type === 'CoreProvider');
  if (core !== undefined && others.length === 0) return core;
  throw new ClusterctlError(
    `invalid management cluster: there must be one core provider, found ${core === undefined ? 0 : others.length + 1}`,
    { remedy: 'run `slipway init` to install it; run `kubectl get providers -A` to list the installed providers' },
  );
}

/** Rejects several instances of the same provider, which would be ambiguous. */
export function checkSingleInstances(installed: readonly InstalledProvider[]): void {
  const byLabel = new Map<string, string[]>();
  for (const provider of installed) {
    const label = labelOf(provider);
    byLabel.set(label, [...(byLabel.get(label) ?? []), instanceName(provider)]);
  }
  const several = [...byLabel].filter(([, names]) => names.length > 1);
  if (several.length === 0) return;
  const found = several.map(
    ([label, names]) => `multiple instance of provider type "${label}" found: [${names.join(' ')}]`,
  );
  throw new ClusterctlError(`detected multiple instances of the same provider: ${found.join('; ')}`, {
    remedy: 'delete all instances but one; a single instance can watch all namespaces',
  });
}

/** Returns the labels of all objects of a provider. */
export function providerLabels(provider: Pick<ProviderConfig, 'name' | 'type'>): Readonly<Record<string, string>> {
  return { [labels.clusterctl]: '', [labels.provider]: labelOf(provider) };
}

/** Returns the inventory entry of a provider, as upstream's clusterctl writes it. */
export function inventoryObject(provider: InstalledProvider): Provider {
  return {
    apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
    kind: 'Provider',
    metadata: {
      name: labelOf(provider),
      namespace: provider.namespace,
      labels: { ...providerLabels(provider), [labels.clusterctlCore]: 'inventory' },
    },
    providerName: provider.name,
    type: provider.type,
    version: provider.version,
  };
}

const clusterDefinition = { namespace: '', name: 'clusters.cluster.x-k8s.io' };

/** Requires an installed Cluster API with a supported contract version. */
export async function checkContract(
  read: Reader,
  allowed: { readonly missing?: boolean; readonly contracts?: readonly string[] } = {},
  options: RequestOptions = {},
): Promise<void> {
  const definition = await ifPresent(read.get(customResourceDefinitions, clusterDefinition, options));
  if (definition === undefined) {
    if (allowed.missing === true) return;
    throw new ClusterctlError('failed to check Cluster API version: clusters.cluster.x-k8s.io is not installed', {
      remedy: 'run `slipway init` to install Cluster API',
    });
  }
  const stored = definition.spec.versions.find(({ storage }) => storage)?.name ?? '';
  if (stored === currentContract || allowed.contracts?.includes(stored) === true) return;
  throw new ClusterctlError(
    `this version of clusterctl could be used only with "${currentContract}" management clusters, "${stored}" detected`,
    { remedy: 'upgrade the management cluster with a clusterctl release that supports its contract version first' },
  );
}
