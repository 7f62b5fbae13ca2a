import { labelOf, listInstalled, parseMetadata, seriesOf } from '@slipway/clusterctl';
import type { Reader, RequestOptions, Sources } from '@slipway/runtime';
import { configMapKeys, type FrozenProvider, nameOf } from '../api/index.js';
import { listManifests } from '../manifests/stored-manifests.js';
import { catalogueOf, normalVersion } from '../manifests/release-manifests.js';
import { allProviders, isSameObject } from '../api/list-providers.js';
import type { OtherProvider } from './upgrade-rules.js';

/** Returns all other installed providers, with the contract from their manifests. */
export async function otherProviders(
  provider: FrozenProvider,
  read: Reader,
  sources: Sources,
  options: RequestOptions,
): Promise<readonly OtherProvider[]> {
  const objects = allProviders(sources);
  const installed = objects.filter(
    (each) => !isSameObject(each, provider) && (each.status?.installedVersion ?? '') !== '',
  );
  const ours = await Promise.all(
    installed.map(async (each) => ({
      name: nameOf(each),
      isCore: each.kind === 'CoreProvider',
      contract: (await contractInManifests(each, read, options)) ?? each.status?.contract,
    })),
  );
  // The inventory also has providers that clusterctl installed, which have no provider object.
  const known = new Set(objects.map(({ kind, metadata }) => labelOf({ type: kind, name: metadata.name ?? '' })));
  const foreign = (await listInstalled(read, options)).filter((each) => !known.has(labelOf(each)));
  return [
    ...ours,
    ...foreign.map((each) => ({
      name: `${each.type} ${each.namespace}/${each.name}`,
      isCore: each.type === 'CoreProvider',
      contract: undefined,
    })),
  ];
}

async function contractInManifests(
  provider: FrozenProvider,
  read: Reader,
  options: RequestOptions,
): Promise<string | undefined> {
  const { name = '' } = provider.metadata;
  const { installedVersion = '' } = provider.status ?? {};
  const version = normalVersion(installedVersion) ?? installedVersion;
  const metadata = catalogueOf(await listManifests(read, provider, options)).get(version)?.[0]?.data?.[
    configMapKeys.metadata
  ];
  if (metadata === undefined) return undefined;
  return seriesOf(parseMetadata(metadata, labelOf({ type: provider.kind, name })), version)?.contract;
}
