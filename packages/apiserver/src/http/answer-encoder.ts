import { formatApiVersion, type Frozen, type KubeObject, stringifyJson } from '@slipway/kube';
import type { Answer, ListAnswer, ResourceEndpoint } from '../contract/index.js';

const encodedCache = new WeakMap<object, Buffer>();

/**
 * Encodes an object as JSON, kind and apiVersion first. Uses the stored bytes if possible, otherwise encodes once per
 * object.
 */
export function bytesOf(answer: Answer): Buffer {
  if (answer.stored !== undefined) return answer.stored.bytes;
  const cached = encodedCache.get(answer.object);
  if (cached !== undefined) return cached;
  const bytes = encodeObject(answer.object);
  if (Object.isFrozen(answer.object)) encodedCache.set(answer.object, bytes);
  return bytes;
}

function encodeObject(object: Frozen<KubeObject>): Buffer {
  const { kind, apiVersion, ...rest } = object;
  return Buffer.from(stringifyJson({ kind, apiVersion, ...rest }));
}

const comma = Buffer.from(',');
const openItem = Buffer.from('{');
const nextItem = Buffer.from(',{');
const closeList = Buffer.from(']}\n');

/**
 * Assembles a list from the encoded bytes of its items. Items of custom resources include kind and apiVersion. Upstream omits
 * them from items of built-in kinds, so that prefix is cut off.
 */
export function listPieces(endpoint: ResourceEndpoint, list: ListAnswer): Buffer[] {
  const head = `${JSON.stringify(listHead(endpoint, list)).slice(0, -1)},"items":[`;
  const pieces: Buffer[] = [Buffer.from(head)];
  if (endpoint.definition.custom) pushWhole(pieces, list.items);
  else pushWithoutType(pieces, list.items, typePrefix(endpoint));
  pieces.push(closeList);
  return pieces;
}

function pushWhole(pieces: Buffer[], items: readonly Answer[]): void {
  let first = true;
  for (const item of items) {
    if (!first) pieces.push(comma);
    first = false;
    pieces.push(bytesOf(item));
  }
}

function pushWithoutType(pieces: Buffer[], items: readonly Answer[], prefix: string): void {
  let first = true;
  for (const item of items) {
    pieces.push(first ? openItem : nextItem);
    first = false;
    const bytes = bytesOf(item);
    const matches = bytes.toString('latin1', 0, prefix.length) === prefix;
    pieces.push((matches ? bytes : encodeObject(item.object)).subarray(matches ? prefix.length : ownPrefix(item)));
  }
}

function typePrefix(endpoint: ResourceEndpoint): string {
  return prefixOf(endpoint.definition.kind, apiVersionOf(endpoint));
}

function ownPrefix(item: Answer): number {
  return Buffer.byteLength(prefixOf(item.object.kind, item.object.apiVersion));
}

function prefixOf(kind: string, apiVersion: string): string {
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
}

export function apiVersionOf(endpoint: ResourceEndpoint): string {
  return formatApiVersion({ group: endpoint.definition.group, version: endpoint.version.name });
}

interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, string | number>>;
}

function listHead(endpoint: ResourceEndpoint, list: ListAnswer): ListHead {
  return {
    kind: endpoint.definition.listKind,
    apiVersion: apiVersionOf(endpoint),
    metadata: listMetadata(list, endpoint.definition.custom),
  };
}

/** Returns the metadata of a list. Custom-resource lists print an empty `continue`; built-in lists omit it. */
export function listMetadata(list: ListAnswer, custom: boolean): Record<string, string | number> {
  return {
    ...(custom || list.continue !== '' ? { continue: list.continue } : {}),
    ...(list.remainingItemCount === undefined ? {} : { remainingItemCount: list.remainingItemCount }),
    resourceVersion: list.resourceVersion,
  };
}

/** Returns the list as a value, for formats that cannot be assembled from bytes. */
export function listValue(endpoint: ResourceEndpoint, list: ListAnswer): object {
  const items = list.items.map(({ object }) => {
    if (endpoint.definition.custom) return object;
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
    return rest;
  });
  return { ...listHead(endpoint, list), items };
}

export function metadataListText(
  list: ListAnswer,
  version: string,
  encode: (object: Frozen<KubeObject>) => string,
): string {
  const metadata = JSON.stringify(listMetadata(list, false));
  const items = list.items.map((item) => encode(item.object)).join(',');
  return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${metadata},"items":[${items}]}`;
}
