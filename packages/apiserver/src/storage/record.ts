import { parseJsonValue, stringifyJson } from '@slipway/kube';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Revision, StorageKey } from '../contract/index.js';

/**
 * On-disk encoding of one version of an object: revision, key, then the JSON exactly as responses send it. The record
 * contains the key because LMDB limits the key length and some Kubernetes names (for example of ClusterRoles) are unlimited.
 *
 *     revision f64 | resource length u16 | namespace length u16 | name length u32 | resource | namespace | name | JSON
 */
const headerLength = 16;

export interface RecordHeader {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** Offset at which the JSON begins. */
  readonly bodyStart: number;
}

export function encodeRecord(key: StorageKey, revision: Revision, json: string): Buffer {
  const resourceLength = Buffer.byteLength(key.resource);
  const namespaceLength = Buffer.byteLength(key.namespace);
  const nameLength = Buffer.byteLength(key.name);
  const bodyStart = headerLength + resourceLength + namespaceLength + nameLength;
  // Do not allocate from the pool: long-lived records would keep pool pages in memory that they share with short-lived buffers.
  const record = Buffer.allocUnsafeSlow(bodyStart + Buffer.byteLength(json));
  record.writeDoubleBE(revision, 0);
  record.writeUInt16BE(resourceLength, 8);
  record.writeUInt16BE(namespaceLength, 10);
  record.writeUInt32BE(nameLength, 12);
  let at = headerLength;
  at += record.write(key.resource, at);
  at += record.write(key.namespace, at);
  at += record.write(key.name, at);
  record.write(json, at);
  return record;
}

export function decodeRecordHeader(record: Buffer): RecordHeader {
  const resourceEnd = headerLength + record.readUInt16BE(8);
  const namespaceEnd = resourceEnd + record.readUInt16BE(10);
  const bodyStart = namespaceEnd + record.readUInt32BE(12);
  if (bodyStart > record.length) throw new RangeError('record is shorter than its header declares');
  return {
    revision: record.readDoubleBE(0),
    key: {
      resource: record.toString('utf8', headerLength, resourceEnd),
      namespace: record.toString('utf8', resourceEnd, namespaceEnd),
      name: record.toString('utf8', namespaceEnd, bodyStart),
    },
    bodyStart,
  };
}

/** Returns the offset at which the JSON begins, without decoding the key. */
export function bodyStartOf(record: Buffer): number {
  return headerLength + record.readUInt16BE(8) + record.readUInt16BE(10) + record.readUInt32BE(12);
}

/** Encodes the object with `{"kind":…,"apiVersion":…` first. */
export function encodeObject(object: Frozen<KubeObject>): string {
  const json = stringifyJson(object);
  if (json.startsWith('{"kind":')) return json;
  // JavaScript puts integer-like keys first; kind and apiVersion are moved before them.
  const { kind, apiVersion, ...rest } = object;
  const head = stringifyJson({ kind, apiVersion });
  return `${head.slice(0, -1)},${stringifyJson(rest).slice(1)}`;
}

const mayHoldLargeInteger = /[0-9]{16}/;

/**
 * Parses an object that this store encoded. Only integers beyond double precision need the exact parser; other texts use
 * JSON.parse.
 */
export function decodeObject(json: string): KubeObject {
  return (mayHoldLargeInteger.test(json) ? parseJsonValue(json) : JSON.parse(json)) as KubeObject;
}
