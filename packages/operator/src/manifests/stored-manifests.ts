import { asJson, type Frozen, labelSelectorFromObject } from '@slipway/kube';
import {
  type ConfigMap,
  configMaps,
  ifPresent,
  ownerReference,
  type Reader,
  type RequestOptions,
  type Writer,
} from '@slipway/runtime';
import {
  fieldManager,
  type FrozenProvider,
  manifestsLabels,
  operatorAnnotations,
  operatorLabels,
  typeNames,
} from '../api/index.js';
import { keyOfReference } from '../configuration/variables.js';
import type { ReleaseOrigin } from './fetch-release.js';
import { manifestConfigMaps, type ReleaseManifests } from './release-manifests.js';

/** Returns the label selector of ConfigMaps with releases of a provider: the one in its spec, or that of fetched manifests. */
export function manifestsSelector(provider: FrozenProvider): string {
  const { selector } = provider.spec?.fetchConfig ?? {};
  if (selector !== undefined) return labelSelectorFromObject(selector).toString();
  const { name = '' } = provider.metadata;
  return [
    `${operatorLabels.type}=${typeNames[provider.kind]}`,
    `${operatorLabels.name}=${name}`,
    `${operatorLabels.managed}=true`,
  ].join(',');
}

/** Lists the ConfigMaps with releases. They are not cached, because manifests are large and rarely needed. */
export async function listManifests(
  read: Reader,
  provider: FrozenProvider,
  options: RequestOptions,
): Promise<readonly Frozen<ConfigMap>[]> {
  const { namespace = '' } = provider.metadata;
  const { items } = await read.list(configMaps, {
    namespace,
    labelSelector: manifestsSelector(provider),
    ...options,
  });
  return items;
}

/** Returns whether a version was already fetched from the origin. Manifests without a recorded origin are treated as fetched. */
export function isFetched(items: readonly Frozen<ConfigMap>[], version: string, origin: ReleaseOrigin): boolean {
  const ours = items.filter((item) => item.metadata.labels?.[operatorLabels.version] === version);
  return (
    ours.length > 0 &&
    ours.every(({ metadata }) => (metadata.annotations?.[operatorAnnotations.source] ?? origin.url) === origin.url)
  );
}

/** Stores a fetched release in ConfigMaps that the provider owns. */
export async function storeManifests(
  writer: Pick<Writer, 'read' | 'change'>,
  provider: FrozenProvider,
  release: ReleaseManifests,
  origin: ReleaseOrigin,
  options: RequestOptions,
): Promise<void> {
  const { name = '', namespace = '' } = provider.metadata;
  const of = { type: provider.kind, name };
  const maps = manifestConfigMaps(of, release, { namespace, source: origin, owner: ownerReference(provider) });
  for (const map of maps)
    await writer.change({
      verb: 'apply',
      resource: configMaps,
      key: { namespace, name: map.metadata.name ?? '' },
      configuration: asJson(map),
      fieldManager,
      reason: 'Downloaded',
      message: `Stored the manifests of ${provider.kind} ${name} ${release.version}`,
    });
  // Delete leftover parts of a release that was larger before.
  const kept = new Set(maps.map((map) => map.metadata.name));
  const labelSelector = Object.entries(manifestsLabels({ ...of, version: release.version }))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  const { items } = await writer.read.list(configMaps, { namespace, labelSelector, ...options });
  for (const { metadata } of items)
    if (!kept.has(metadata.name))
      await writer.change({
        verb: 'delete',
        resource: configMaps,
        key: { namespace, name: metadata.name ?? '' },
        reason: 'Outdated',
        message: `Deleted an outdated part of the manifests of ${provider.kind} ${name} ${release.version}`,
      });
}

/** Returns additional manifests to install, or undefined if the referenced ConfigMap does not exist. */
export async function readAdditionalManifests(
  read: Reader,
  provider: FrozenProvider,
  options: RequestOptions,
): Promise<Frozen<ConfigMap> | 'none' | undefined> {
  const reference = provider.spec?.additionalManifests;
  if (reference === undefined) return 'none';
  return ifPresent(read.get(configMaps, keyOfReference(provider, reference), options));
}
