import {
  type BuiltinProvider,
  type FetchDependencies,
  labelOf,
  metadataFile,
  openRegistry,
  openRepository,
  type ProviderConfig,
} from '@slipway/clusterctl';
import type { OperatorConfig } from '../configuration/operator-config.js';
import { type FrozenProvider, installReasons, preflightReasons, typeNames } from '../api/index.js';
import { installError, preflightError } from '../phase-error.js';
import { parseOciReference } from './oci-reference.js';
import type { ReleaseManifests } from './release-manifests.js';

export interface FetchReleaseDependencies extends FetchDependencies {
  readonly builtin: readonly BuiltinProvider[];
}

/** Source of a release. */
export interface ReleaseOrigin {
  readonly url: string;
  readonly isOci: boolean;
}

/** Returns where to fetch the release from. Undefined for providers whose manifests are in ConfigMaps of the user. */
export function originOf(provider: FrozenProvider, config: Pick<OperatorConfig, 'urlOf'>): ReleaseOrigin | undefined {
  const { fetchConfig } = provider.spec ?? {};
  if (fetchConfig?.selector !== undefined) return undefined;
  if (fetchConfig?.oci !== undefined) return { url: fetchConfig.oci, isOci: true };
  const url = fetchConfig?.url ?? config.urlOf(provider);
  if (url !== undefined) return { url, isOci: false };
  throw installError(
    installReasons.unknown,
    `failed to get configuration for the ${provider.kind} with name ${provider.metadata.name ?? ''}`,
    { retry: 'onChange', remedy: 'set its repository in spec.fetchConfig.url or spec.fetchConfig.oci' },
  );
}

/** Fetches the metadata and components of the requested or newest version. */
export async function fetchRelease(
  provider: FrozenProvider,
  origin: ReleaseOrigin,
  { config }: Pick<OperatorConfig, 'config'>,
  dependencies: FetchReleaseDependencies,
): Promise<ReleaseManifests> {
  if (origin.isOci) return fetchFromRegistry(provider, origin.url, { config }, dependencies);
  // Other schemes are rejected: users who can write provider objects must not read local files.
  if (!/^(https|builtin):\/\//.test(origin.url))
    throw installError(installReasons.fetch, `invalid provider url ${origin.url}: only https is supported`, {
      retry: 'never',
      remedy: 'use a GitHub release, or a web server that serves {provider-label}/{version}/{file}',
    });
  const desired: ProviderConfig = { name: provider.metadata.name ?? '', type: provider.kind, url: origin.url };
  const management = (): Promise<undefined> => Promise.resolve(undefined);
  const repository = await openRepository(desired, { ...dependencies, config, management });
  const { version = '' } = provider.spec ?? {};
  const chosen = version === '' ? repository.defaultVersion : version;
  return {
    version: chosen,
    metadata: await repository.read(chosen, metadataFile),
    components: await repository.read(chosen, repository.componentsFile),
  };
}

async function fetchFromRegistry(
  provider: FrozenProvider,
  url: string,
  { config }: Pick<OperatorConfig, 'config'>,
  dependencies: FetchReleaseDependencies,
): Promise<ReleaseManifests> {
  const parsed = parseOciReference(url);
  if (parsed === undefined)
    throw preflightError(preflightReasons.fetchConfig, `spec.fetchConfig.oci "${url}" is not an artifact reference`, {
      retry: 'never',
      remedy: 'use the form host[:port]/repository[:tag]',
    });
  const { name = '' } = provider.metadata;
  const version = provider.spec?.version === '' ? undefined : provider.spec?.version;
  const tag = parsed.reference ?? version?.replace('+', '_');
  if (tag === undefined || (version === undefined && parsed.reference?.includes(':') === true))
    throw preflightError(preflightReasons.emptyVersion, `the version of ${url} is not set`, {
      retry: 'never',
      remedy: 'set spec.version, or a tag in spec.fetchConfig.oci',
    });
  const registry = openRegistry(parsed.host, { ...dependencies, config });
  const chosen = version ?? tag.replace('_', '+');
  const type = typeNames[provider.kind];
  const own = `${type}-${name}-${chosen}`;
  const read = async (files: readonly string[]): Promise<string> => {
    for (const file of files) {
      const text = await registry.readFile(parsed.repository, tag, file);
      if (text !== undefined) return text;
    }
    throw installError(
      installReasons.fetch,
      `the artifact ${parsed.repository}:${tag} for ${labelOf({ name, type: provider.kind })} contains none of the files ${files.join(', ')}`,
      { retry: 'later', remedy: 'push each file as a layer with its name as title, as `oras push` does' },
    );
  };
  return {
    version: chosen,
    metadata: await read([`${own}-metadata.yaml`, metadataFile]),
    components: await read([`${own}-components.yaml`, `${type}-components.yaml`, 'components.yaml']),
  };
}
