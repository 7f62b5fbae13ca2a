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
  type RepositoryWorld,
} from '@slipway/clusterctl';
import type { Frozen } from '@slipway/kube';
import { type Reader, ifPresent, type RequestOptions } from '@slipway/runtime';
import { compareBuild } from 'semver';
import { configMapKeys, type FrozenProvider, nameOf, providerResources } from '../api/index.js';
import { predefinedProviders } from '../configuration/predefined-providers.js';
import { catalogueOf } from '../manifests/release-manifests.js';
import { listManifests } from '../manifests/stored-manifests.js';

/** What one installed provider could be upgraded to, as far as that is known. */
export interface ProviderOutlook {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  /** The version that is installed. Once it is another one, all of this is not true any more. */
  readonly version: string;
  /** The newest that fits; '' while none that is newer is known. */
  readonly next: string;
  /** How to go there. */
  readonly how: string;
  /** Why nobody can tell; '' where it is known. */
  readonly unknown: string;
  /** Its repository is elsewhere, and was not asked. */
  readonly isUnasked: boolean;
}

export interface OutlookOptions extends RequestOptions {
  /** Whether repositories elsewhere are asked. Only those of the configuration and the well-known ones are. */
  readonly mayFetch: boolean;
}

/** Every installed provider with what it could be upgraded to. One whose releases cannot be read says so, and stops no other. */
export async function providerOutlooks(
  read: Reader,
  world: RepositoryWorld,
  options: OutlookOptions,
): Promise<readonly ProviderOutlook[]> {
  const listed = await ifPresent(read.list(providers, requestOf(options)));
  return Promise.all((listed?.items ?? []).map((entry) => outlookOf(entry, read, world, options)));
}

async function outlookOf(
  entry: Frozen<Provider>,
  read: Reader,
  world: RepositoryWorld,
  options: OutlookOptions,
): Promise<ProviderOutlook> {
  const provider = installedOf(entry);
  const { type, namespace, name, version } = provider;
  const isEmbedded = entry.metadata.annotations?.[embeddedAnnotation] !== undefined;
  const told = { type, namespace, name, version, next: '', how: '', unknown: '', isUnasked: false };
  try {
    const object = isEmbedded ? undefined : await objectOf(provider, read, options);
    const source = object?.spec?.fetchConfig === undefined ? repositoryOf(provider, world) : undefined;
    const isUnasked = source !== undefined && isRemote(source) && !options.mayFetch;
    const found = await newestAmong(provider, [
      ...(object === undefined ? [] : [() => storedReleases(object, read, options)]),
      ...(source === undefined || isUnasked ? [] : [() => readReleases(source, world)]),
    ]);
    return { ...told, ...found, how: found.next === '' ? '' : wayTo(found.next, isEmbedded, object), isUnasked };
  } catch (error) {
    return { ...told, unknown: (error as Error).message };
  }
}

async function objectOf(
  { type, namespace, name }: InstalledProvider,
  read: Reader,
  options: OutlookOptions,
): Promise<FrozenProvider | undefined> {
  return ifPresent(read.get(providerResources[type], { namespace, name }, requestOf(options)));
}

/** Where the user keeps the releases of a provider, or its project does. */
function repositoryOf(provider: InstalledProvider, { config }: RepositoryWorld): ProviderConfig {
  const isMeant = (each: ProviderConfig): boolean => isSameProvider(each, provider);
  return (
    config.providers.find(isMeant) ??
    predefinedProviders.find(isMeant) ??
    // Says what to do about it.
    config.provider(provider.name, provider.type)
  );
}

/** Releases that are in the management cluster already: fetched for the provider, or brought for it. */
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

/** A place that cannot be read takes nothing away from what another one has. */
async function newestAmong(
  provider: InstalledProvider,
  places: readonly (() => Promise<Releases>)[],
): Promise<Pick<ProviderOutlook, 'next' | 'unknown'>> {
  const found: string[] = [];
  let unknown = '';
  for (const open of places) {
    try {
      const releases = await open();
      // What was brought may have been removed again; that is no failure.
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
  if (isEmbedded) return 'start the release of slipway that carries it, on the same data';
  if (object !== undefined) return `set spec.version of ${nameOf(object)} to ${next}`;
  return `slipway upgrade apply --contract ${currentContract}`;
}

function requestOf({ signal }: OutlookOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}
