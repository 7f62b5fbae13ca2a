import { labels } from '@slipway/cluster-api';
import { asJson, asObject, type Frozen, type KubeObject, type MutableJsonObject } from '@slipway/kube';
import {
  ifPresent,
  ownerReference,
  type Reader,
  type RequestOptions,
  type Secret,
  secrets,
  type Writer,
} from '@slipway/runtime';
import {
  cacheKey,
  cacheName,
  fieldManager,
  type FrozenProvider,
  isCacheName,
  operatorAnnotations,
} from '../api/index.js';
import { formatPart, packText, parsePart, unpackParts } from '../manifests/packed-text.js';

/** Rendered components of one version of a provider. Stored in Secrets, because they may contain values of Secrets. */
export interface Cache {
  /** Secret with the first part. Its annotation has the hash. */
  readonly secret: Frozen<Secret>;
  readonly parts: readonly Frozen<Secret>[];
}

export async function readCache(
  read: Reader,
  provider: FrozenProvider,
  options: RequestOptions,
): Promise<Cache | undefined> {
  const { namespace = '', name = '' } = provider.metadata;
  const { version = '' } = provider.spec ?? {};
  if (version === '') return undefined;
  const first = cacheName({ type: provider.kind, name, version });
  const get = (at: number): Promise<Frozen<Secret> | undefined> =>
    ifPresent(read.get(secrets, { namespace, name: partName(first, at) }, options));
  const secret = await get(0);
  if (secret === undefined) return undefined;
  const count = parsePart(secret.metadata.annotations?.[operatorAnnotations.part])?.count ?? 1;
  const parts = [secret];
  for (let at = 1; at < count; at += 1) {
    const part = await get(at);
    // A missing part was deleted, so the components are rendered again.
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return { secret, parts };
}

function partName(first: string, at: number): string {
  return at === 0 ? first : `${first}-part-${at + 1}`;
}

export function objectsOf({ secret, parts }: Cache): readonly KubeObject[] {
  const bytes = parts.map(({ data }) => Buffer.from(data?.[cacheKey] ?? '', 'base64'));
  const isCompressed = secret.metadata.annotations?.[operatorAnnotations.compressed] === 'true';
  const text = isCompressed ? unpackParts(bytes) : Buffer.concat(bytes).toString('utf8');
  return (JSON.parse(text) as MutableJsonObject[]).map((object) => asObject(object));
}

/** Returns the data of all parts, for comparison. */
export function dataOf({ parts }: Cache): readonly unknown[] {
  return parts.map(({ data }) => data ?? {});
}

/** Stores the rendered components. They include the Namespace, so that a later reconcile re-creates it if it was deleted. */
export async function writeCache(
  writer: Pick<Writer, 'change'>,
  provider: FrozenProvider,
  objects: readonly KubeObject[],
): Promise<Cache> {
  const { namespace = '', name = '' } = provider.metadata;
  const place: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  // The size of the JSON is what is stored. It is longer than the YAML source.
  const packed = packText(JSON.stringify([...objects, place]));
  const contents = packed.compressed ? packed.parts : [Buffer.from(packed.text)];
  const first = cacheName({ type: provider.kind, name, version: provider.spec?.version ?? '' });
  const parts: Frozen<Secret>[] = [];
  for (const [at, content] of contents.entries()) {
    const annotations = {
      ...(packed.compressed && { [operatorAnnotations.compressed]: 'true' }),
      ...(contents.length > 1 && {
        [operatorAnnotations.part]: formatPart({ index: at + 1, count: contents.length }),
      }),
    };
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: partName(first, at),
        namespace,
        annotations,
        ownerReferences: [ownerReference(provider)],
      },
      // stringData is not used: the server stores it as data, without field ownership.
      data: { [cacheKey]: content.toString('base64') },
    };
    parts.push(
      await writer.change({
        verb: 'apply',
        resource: secrets,
        key: { namespace, name: partName(first, at) },
        configuration: asJson(secret),
        fieldManager,
        reason: 'Rendered',
        message: `Stored the rendered components of ${provider.kind} ${name} ${provider.spec?.version ?? ''}`,
      }),
    );
  }
  const [secret] = parts as [Frozen<Secret>];
  return { secret, parts };
}

/** Marks a cache as installed, with the hash of the input that it was rendered from. */
export async function markCache(writer: Pick<Writer, 'change'>, { secret }: Cache, hash: string): Promise<void> {
  const { name = '', namespace = '' } = secret.metadata;
  const patch = { metadata: { annotations: { [operatorAnnotations.appliedSpecHash]: hash } } };
  await writer.change({
    verb: 'patch',
    resource: secrets,
    key: { namespace, name },
    body: { type: 'merge', patch },
    fieldManager,
    reason: 'Installed',
    message: 'Marked the rendered components as installed',
  });
}

/** Deletes caches of previous versions and unused parts, because they may contain values of Secrets. */
export async function deleteOldCaches(
  writer: Pick<Writer, 'read' | 'change'>,
  { kind, metadata }: FrozenProvider,
  { parts }: Cache,
  options: RequestOptions,
): Promise<void> {
  const { namespace = '', name = '', uid } = metadata;
  const kept = new Set(parts.map((part) => part.metadata.name));
  const { items } = await writer.read.list(secrets, { namespace, metadataOnly: true, ...options });
  const old = items.filter(
    (each) =>
      !kept.has(each.metadata.name) &&
      // Components of the provider may have names that match those of its caches. They have the provider label.
      each.metadata.labels?.[labels.provider] === undefined &&
      each.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true &&
      isCacheName({ type: kind, name }, each.metadata.name ?? ''),
  );
  for (const each of old)
    await writer.change({
      verb: 'delete',
      resource: secrets,
      key: { namespace, name: each.metadata.name ?? '' },
      reason: 'Outdated',
      message: `Deleted outdated rendered components of ${kind} ${name}`,
    });
}
