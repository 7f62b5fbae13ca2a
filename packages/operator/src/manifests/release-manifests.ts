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

/** The two files of a release that an installation takes. */
export interface ReleaseManifests {
  readonly version: string;
  readonly metadata: string;
  readonly components: string;
}

export interface ManifestsPlace {
  readonly namespace: string;
  /** Where they were fetched from. */
  readonly source?: { readonly url: string; readonly isOci: boolean };
  readonly owner?: OwnerReference;
}

/** The ConfigMaps that hold a release: one, unless the components are too much for one even when they are compressed. */
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

/** What is wrong with ConfigMaps that should hold releases. The message names them. */
class ManifestsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ManifestsError';
  }
}

type Stored = Frozen<ConfigMap>;

/** ConfigMaps by the version that they hold: a catalogue. Those of one version are its parts. */
export function catalogueOf(items: readonly Stored[]): ReadonlyMap<string, readonly Stored[]> {
  const catalogue = new Map<string, Stored[]>();
  for (const item of items) {
    const version = versionOf(item);
    catalogue.set(version, [...(catalogue.get(version) ?? []), item]);
  }
  return catalogue;
}

/** The ConfigMaps of one version, whatever is wrong with others. */
export function storedFor(items: readonly Stored[], version: string): readonly Stored[] {
  const wanted = normalVersion(version);
  return items.filter((item) => wanted !== undefined && normalVersion(givenVersion(item)) === wanted);
}

function givenVersion({ metadata }: Stored): string {
  const { name = '', labels = {}, annotations = {} } = metadata;
  return annotations[operatorAnnotations.version] ?? labels[operatorLabels.version] ?? name;
}

/** With a `v` before it, whether it was written so or not. */
function versionOf(item: Stored): string {
  const given = givenVersion(item);
  const version = normalVersion(given);
  if (version !== undefined) return version;
  const { name = '' } = item.metadata;
  throw new ManifestsError(
    given === name
      ? `ConfigMap ${name} has no label ${operatorLabels.version}, and its name is no version`
      : `ConfigMap ${name}: ${operatorLabels.version} is "${given}", which is no semantic version such as v1.2.3`,
  );
}

export function normalVersion(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === null) return undefined;
  const build = parsed.build.length === 0 ? '' : `+${parsed.build.join('.')}`;
  return `v${parsed.format()}${build}`;
}

/** The newest version of a catalogue. */
export function newestOf(catalogue: ReadonlyMap<string, unknown>): string | undefined {
  return [...catalogue.keys()].sort(rcompare)[0];
}

/** The files of one version, put together from its parts. */
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
      `ConfigMaps ${names} both hold version ${version}: remove one, or narrow spec.fetchConfig.selector`,
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
