import { type Frozen, type OwnerReference } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import { parse, rcompare } from 'semver';
import {
  configMapKeys,
  manifestsLabels,
  manifestsName,
  operatorAnnotations,
  operatorLabels,
  type ProviderVersion,
  versionLabel,
} from '../api/index.js';
import { formatPart, packText, parsePart, unpackParts } from './packed-text.js';

/** Metadata and components of a release. */
export interface ReleaseManifests {
  readonly version: string;
  readonly metadata: string;
  readonly components: string;
}

export interface ManifestsPlace {
  readonly namespace: string;
  /** Source from which the manifests were fetched. */
  readonly source?: { readonly url: string; readonly isOci: boolean };
  readonly owner?: OwnerReference;
}

/** Returns the ConfigMaps for a release. There are several only if the compressed components do not fit into one. */
export function manifestConfigMaps(
  provider: Omit<ProviderVersion, 'version'>,
  release: ReleaseManifests,
  { namespace, source, owner }: ManifestsPlace,
): readonly ConfigMap[] {
  const { version, metadata, components } = release;
  const of = { ...provider, version };
  const name = manifestsName(of);
  const labels = {
    ...manifestsLabels(of),
    ...(source?.isOci === true && { [operatorLabels.source]: 'oci' }),
  };
  const annotations = {
    ...(versionLabel(version) !== version && { [operatorAnnotations.version]: version }),
    ...(source !== undefined && { [operatorAnnotations.source]: source.url }),
  };
  const shared = { namespace, labels, ...(owner && { ownerReferences: [owner] }) };
  const packed = packText(components, Buffer.byteLength(metadata));
  if (!packed.compressed)
    return [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, ...shared, annotations },
        data: { [configMapKeys.metadata]: metadata, [configMapKeys.components]: packed.text },
      },
    ];
  const count = packed.parts.length;
  return packed.parts.map((part, at) => {
    const index = at + 1;
    const marks = {
      [operatorAnnotations.compressed]: 'true',
      ...(count > 1 && { [operatorAnnotations.part]: formatPart({ index, count }) }),
    };
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: at === 0 ? name : `${name}-part-${index}`,
        ...shared,
        annotations: { ...annotations, ...marks },
      },
      data: { [configMapKeys.metadata]: metadata },
      binaryData: { [configMapKeys.components]: part.toString('base64') },
    };
  });
}

/** A ConfigMap with manifests is invalid. The message contains its name. */
class ManifestsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ManifestsError';
  }
}

type Stored = Frozen<ConfigMap>;

/** Groups ConfigMaps by version. Several ConfigMaps of one version are its parts. */
export function catalogueOf(items: readonly Stored[]): ReadonlyMap<string, readonly Stored[]> {
  const catalogue = new Map<string, Stored[]>();
  for (const item of items) {
    const version = versionOf(item);
    catalogue.set(version, [...(catalogue.get(version) ?? []), item]);
  }
  return catalogue;
}

/** Returns the ConfigMaps of one version. Invalid ConfigMaps of other versions are ignored. */
export function storedFor(items: readonly Stored[], version: string): readonly Stored[] {
  const desired = normalVersion(version);
  return items.filter((item) => desired !== undefined && normalVersion(givenVersion(item)) === desired);
}

function givenVersion({ metadata }: Stored): string {
  const { name = '', labels = {}, annotations = {} } = metadata;
  return annotations[operatorAnnotations.version] ?? labels[operatorLabels.version] ?? name;
}

/** Returns the version of a ConfigMap, normalized to start with `v`. */
function versionOf(item: Stored): string {
  const given = givenVersion(item);
  const version = normalVersion(given);
  if (version !== undefined) return version;
  const { name = '' } = item.metadata;
  throw new ManifestsError(
    given === name
      ? `ConfigMap ${name} has no label ${operatorLabels.version}, and its name is not a version`
      : `ConfigMap ${name}: ${operatorLabels.version} is "${given}", which is not a semantic version such as v1.2.3`,
  );
}

export function normalVersion(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === null) return undefined;
  const build = parsed.build.length === 0 ? '' : `+${parsed.build.join('.')}`;
  return `v${parsed.format()}${build}`;
}

/** Returns the newest available version. */
export function newestOf(catalogue: ReadonlyMap<string, unknown>): string | undefined {
  return [...catalogue.keys()].sort(rcompare)[0];
}

/** Joins the parts of one version. */
export function readRelease(version: string, items: readonly Stored[]): ReleaseManifests {
  const parts = sortedParts(version, items);
  const [first] = parts as [Stored];
  const metadata = first.data?.[configMapKeys.metadata];
  if (metadata === undefined) throw missing(first, configMapKeys.metadata);
  return { version, metadata, components: componentsOf(parts) };
}

function sortedParts(version: string, items: readonly Stored[]): readonly Stored[] {
  const marks = items.map((item) => parsePart(item.metadata.annotations?.[operatorAnnotations.part]));
  if (items.length === 1 && marks[0] === undefined) return items;
  const names = items.map(({ metadata }) => metadata.name).join(' and ');
  const count = marks[0]?.count ?? 0;
  if (marks.some((mark) => mark === undefined || mark.count !== count))
    throw new ManifestsError(
      `ConfigMaps ${names} both contain version ${version}: remove one, or narrow spec.fetchConfig.selector`,
    );
  const byIndex = new Map(items.map((item, at) => [marks[at]?.index, item]));
  return Array.from({ length: count }, (_, at) => {
    const part = byIndex.get(at + 1);
    if (part === undefined) throw new ManifestsError(`part ${at + 1} of ${count} of version ${version} is missing`);
    return part;
  });
}

function componentsOf(parts: readonly Stored[]): string {
  const key = configMapKeys.components;
  const [first] = parts as [Stored];
  if (first.metadata.annotations?.[operatorAnnotations.compressed] !== 'true') {
    const text = first.data?.[key];
    if (text === undefined) throw missing(first, key);
    return text;
  }
  const bytes = parts.map((part) => {
    const encoded = part.binaryData?.[key];
    if (encoded === undefined) throw missing(part, key);
    return Buffer.from(encoded, 'base64');
  });
  try {
    return unpackParts(bytes);
  } catch (error) {
    throw new ManifestsError(`ConfigMap ${first.metadata.name ?? ''}: ${key} is not gzip: ${(error as Error).message}`);
  }
}

function missing({ metadata }: Stored, key: string): ManifestsError {
  return new ManifestsError(`ConfigMap ${metadata.name ?? ''} has no key "${key}"`);
}
