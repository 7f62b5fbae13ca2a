import { type Provider, providers } from '@slipway/cluster-api';
import {
  currentContract,
  embeddedAnnotation,
  type InstalledProvider,
  installedOf,
  isRemote,
  isSameProvider,
  nextVersionAmong,
  parseMetadata,
  type ProviderConfig,
  readReleases,
  type Releases,
  type RepositoryDependencies,
} from '@slipway/clusterctl';
import type { Frozen } from '@slipway/kube';
import { type Reader, ifPresent, type RequestOptions } from '@slipway/runtime';
import { compareBuild } from 'semver';
import { configMapKeys, type FrozenProvider, nameOf, providerResources } from '../api/index.js';
import { predefinedProviders } from '../configuration/predefined-providers.js';
import { catalogueOf } from '../manifests/release-manifests.js';
import { listManifests } from '../manifests/stored-manifests.js';

/** Available upgrade of an installed provider. */
export interface ProviderOutlook {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  /** Installed version. Once another version is installed, the outlook no longer applies. */
  readonly version: string;
  /** Newest compatible version. Empty if no newer version is known. */
  readonly next: string;
  /** Command or change that performs the upgrade. */
  readonly how: string;
  /** Reason why the next version is unknown. Empty if it is known. */
  readonly unknown: string;
  /** Whether the remote repository was not queried. */
  readonly isUnasked: boolean;
}

export interface OutlookOptions extends RequestOptions {
  /** Whether to query remote repositories. Only configured and predefined ones are queried. */
  readonly mayFetch: boolean;
}

/** Returns the available upgrades of all installed providers. A failure for one provider does not affect others. */
export async function providerOutlooks(
  read: Reader,
  dependencies: RepositoryDependencies,
  options: OutlookOptions,
): Promise<readonly ProviderOutlook[]> {
  const listed = await ifPresent(read.list(providers, requestOf(options)));
  return Promise.all((listed?.items ?? []).map((entry) => outlookOf(entry, read, dependencies, options)));
}

async function outlookOf(
  entry: Frozen<Provider>,
  read: Reader,
  dependencies: RepositoryDependencies,
  options: OutlookOptions,
): Promise<ProviderOutlook> {
  const provider = installedOf(entry);
  const { type, namespace, name, version } = provider;
  const isEmbedded = entry.metadata.annotations?.[embeddedAnnotation] !== undefined;
  const reported = { type, namespace, name, version, next: '', how: '', unknown: '', isUnasked: false };
  try {
    const object = isEmbedded ? undefined : await objectOf(provider, read, options);
    const source = object?.spec?.fetchConfig === undefined ? repositoryOf(provider, dependencies) : undefined;
    const isUnasked = source !== undefined && isRemote(source) && !options.mayFetch;
    const found = await newestAmong(provider, [
      ...(object === undefined ? [] : [() => storedReleases(object, read, options)]),
      ...(source === undefined || isUnasked ? [] : [() => readReleases(source, dependencies)]),
    ]);
    return { ...reported, ...found, how: found.next === '' ? '' : wayTo(found.next, isEmbedded, object), isUnasked };
  } catch (error) {
    return { ...reported, unknown: (error as Error).message };
  }
}

async function objectOf(
  { type, namespace, name }: InstalledProvider,
  read: Reader,
  options: OutlookOptions,
): Promise<FrozenProvider | undefined> {
  return ifPresent(read.get(providerResources[type], { namespace, name }, requestOf(options)));
}

/** Returns the configured or predefined repository of a provider. */
function repositoryOf(provider: InstalledProvider, { config }: RepositoryDependencies): ProviderConfig {
  const isMeant = (each: ProviderConfig): boolean => isSameProvider(each, provider);
  return (
    config.providers.find(isMeant) ??
    predefinedProviders.find(isMeant) ??
    // Throws an error with a remedy if the provider is unknown.
    config.provider(provider.name, provider.type)
  );
}

/** Returns the releases stored in the management cluster, which were fetched or provided by the user. */
async function storedReleases(object: FrozenProvider, read: Reader, options: OutlookOptions): Promise<Releases> {
  const catalogue = catalogueOf(await listManifests(read, object, requestOf(options)));
  return {
    versions: [...catalogue.keys()],
    metadata: (version) => {
      const [first] = catalogue.get(version) ?? [];
      return Promise.resolve(parseMetadata(first?.data?.[configMapKeys.metadata] ?? '', nameOf(object)));
    },
  };
}

/** Returns the newest version of all sources. A source that cannot be read does not discard the versions of other sources. */
async function newestAmong(
  provider: InstalledProvider,
  places: readonly (() => Promise<Releases>)[],
): Promise<Pick<ProviderOutlook, 'next' | 'unknown'>> {
  const found: string[] = [];
  let unknown = '';
  for (const open of places) {
    try {
      const releases = await open();
      // A source without releases is not an error: stored releases may have been removed.
      if (releases.versions.length === 0) continue;
      const next = await nextVersionAmong(releases, provider, currentContract);
      if (next !== undefined) found.push(next);
    } catch (error) {
      unknown = (error as Error).message;
    }
  }
  return { next: found.sort(compareBuild).at(-1) ?? '', unknown };
}

function wayTo(next: string, isEmbedded: boolean, object: FrozenProvider | undefined): string {
  if (isEmbedded) return 'install the slipway release that contains it, and start it with the same data directory';
  if (object !== undefined) return `set spec.version of ${nameOf(object)} to ${next}`;
  return `slipway upgrade apply --contract ${currentContract}`;
}

function requestOf({ signal }: OutlookOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}
