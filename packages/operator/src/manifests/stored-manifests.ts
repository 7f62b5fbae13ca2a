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

/** Which ConfigMaps hold releases of a provider: those that it selects, or those that were fetched for it. */
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

/** Read, not cached: manifests are large, and of use for a moment. */
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

/** Whether a version was fetched from there already. What was fetched by somebody else has no origin, and counts. */
export function isFetched(items: readonly Frozen<ConfigMap>[], version: string, origin: ReleaseOrigin): boolean {
  const ours = items.filter((item) => item.metadata.labels?.[operatorLabels.version] === version);
  return (
    ours.length > 0 &&
    ours.every(({ metadata }) => (metadata.annotations?.[operatorAnnotations.source] ?? origin.url) === origin.url)
  );
}

/** Keeps a fetched release beside its provider, with which it goes. */
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
  // Of a release that was larger before, parts would be left over.
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
        message: `Deleted a part that the manifests of ${provider.kind} ${name} ${release.version} no longer have`,
      });
}

/** What is installed beside the components; undefined when the ConfigMap that is named is not there. */
export async function readAdditionalManifests(
  read: Reader,
  provider: FrozenProvider,
  options: RequestOptions,
): Promise<Frozen<ConfigMap> | 'none' | undefined> {
  const reference = provider.spec?.additionalManifests;
  if (reference === undefined) return 'none';
  return ifPresent(read.get(configMaps, keyOfReference(provider, reference), options));
}
