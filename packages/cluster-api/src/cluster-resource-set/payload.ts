import { createHash } from 'node:crypto';
import {
  type Frozen,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  parseJsonValue,
  parseYamlDocuments,
} from '@slipway/kube';
import type { ConfigMap, Secret } from '@slipway/runtime';

/** A ConfigMap or Secret that holds objects for workload clusters. */
export type PayloadSource = Frozen<ConfigMap> | Frozen<Secret>;

export interface Payload {
  /** `sha256:…` of all values, in the order of their keys. */
  readonly hash: string;
  /** Sorted in creation order. */
  readonly objects: readonly KubeObject[];
}

/** Reports invalid content of a ConfigMap or Secret. The message never quotes the content, which may be secret. */
export class PayloadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PayloadError';
  }
}

const peekBytes = 32;

/** Parses all values of a payload, each a stream of YAML documents or a JSON list. */
export function readPayload(source: PayloadSource): Payload {
  const where = `${source.kind} ${source.metadata.namespace ?? ''}/${source.metadata.name ?? ''}`;
  if (source.data === undefined) throw new PayloadError(`failed to get data field from resource ${where}`);
  const keys = Object.keys(source.data).sort();
  const values = keys.map((key) => bytesOf(source, key));
  const hash = createHash('sha256');
  for (const value of values) hash.update(value);
  const objects = values.flatMap((value, index) => sortForCreate(readValue(value, `${where}, key ${keys[index]}`)));
  return { hash: `sha256:${hash.digest('hex')}`, objects };
}

function bytesOf(source: PayloadSource, key: string): Buffer {
  const text = source.data?.[key] ?? '';
  return source.kind === 'Secret' ? Buffer.from(text, 'base64') : Buffer.from(text, 'utf8');
}

function readValue(bytes: Buffer, where: string): KubeObject[] {
  // Upstream reads this many bytes to detect the format, and fails on shorter content. No valid object is that short.
  if (bytes.length < peekBytes)
    throw new PayloadError(`${where}: contains fewer than ${peekBytes} bytes, which cannot be an object`);
  const text = bytes.toString('utf8');
  return parseValues(text, where)
    .flatMap(itemsOf)
    .map((value) => asObject(value, where));
}

function parseValues(text: string, where: string): readonly JsonValue[] {
  try {
    if (!text.slice(0, peekBytes).trimStart().startsWith('['))
      return parseYamlDocuments(text).map(({ value }) => value as JsonValue);
    const list = parseJsonValue(text) as JsonValue;
    return Array.isArray(list) ? (list as readonly JsonValue[]) : [list];
  } catch {
    // Omit the message of the parser: it may quote the content.
    throw new PayloadError(`${where}: failed converting data to unstructured objects: it is neither YAML nor JSON`);
  }
}

/** Returns the items of a v1 List, the output format of `kubectl get -o yaml`. API servers do not accept a List. */
function itemsOf(value: JsonValue): readonly JsonValue[] {
  if (!isObject(value) || value['kind'] !== 'List' || value['apiVersion'] !== 'v1') return [value];
  return Array.isArray(value['items']) ? (value['items'] as readonly JsonValue[]) : [value];
}

function asObject(value: JsonValue, where: string): KubeObject {
  if (!isObject(value)) throw new PayloadError(`${where}: contains a value that is not an object`);
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new PayloadError(`${where}: contains an object without apiVersion or kind`);
  const named = isObject(metadata) && typeof metadata['name'] === 'string' && metadata['name'] !== '';
  if (!named) throw new PayloadError(`${where}: contains a ${kind} without metadata.name`);
  return value as unknown as KubeObject;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Kinds that other objects depend on, in creation order. Objects of other kinds follow in their original order. */
const creationOrder = [
  'Namespace',
  'CustomResourceDefinition',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Secret',
  'ConfigMap',
  'ServiceAccount',
  'LimitRange',
  'Pod',
  'ReplicaSet',
  'Endpoint',
];

function sortForCreate(objects: readonly KubeObject[]): KubeObject[] {
  const rankOf = ({ kind }: KubeObject): number => {
    const rank = creationOrder.indexOf(kind);
    return rank < 0 ? creationOrder.length : rank;
  };
  return [...objects].sort((left, right) => rankOf(left) - rankOf(right));
}
