import { parseJsonValue, stringifyJson } from '@slipway/kube';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Revision, StorageKey } from '../contract/index.js';

/**
 * How one version of an object stands on disk: revision, key, then the JSON exactly as responses carry it. The key is part
 * of the record because a disk key has a maximum length and a Kubernetes name (of a ClusterRole, say) has none.
 *
 *     revision f64 | resource length u16 | namespace length u16 | name length u32 | resource | namespace | name | JSON
 */
const headerLength = 16;

export interface RecordHeader {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** Where the JSON begins. */
  readonly bodyStart: number;
}

export function encodeRecord(key: StorageKey, revision: Revision, json: string): Buffer {
  const resourceLength = Buffer.byteLength(key.resource);
  const namespaceLength = Buffer.byteLength(key.namespace);
  const nameLength = Buffer.byteLength(key.name);
  const bodyStart = headerLength + resourceLength + namespaceLength + nameLength;
  // Not from the pool: records stay, and would hold on to pages that they share with passing things.
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
  if (bodyStart > record.length) throw new RangeError('record is shorter than its header says');
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

/** Where the JSON begins, without decoding the key. */
export function bodyStartOf(record: Buffer): number {
  return headerLength + record.readUInt16BE(8) + record.readUInt16BE(10) + record.readUInt32BE(12);
}

/** Begins with `{"kind":…,"apiVersion":…`, whatever else the object holds. */
export function encodeObject(object: Frozen<KubeObject>): string {
  const json = stringifyJson(object);
  if (json.startsWith('{"kind":')) return json;
  // Keys that look like integers come first in every JavaScript object; kind and apiVersion are moved before them.
  const { kind, apiVersion, ...rest } = object;
  const head = stringifyJson({ kind, apiVersion });
  return `${head.slice(0, -1)},${stringifyJson(rest).slice(1)}`;
}

const mayHoldLargeInteger = /[0-9]{16}/;

/** The text is our own: only integers beyond a double need the exact reader, everything else is native. */
export function decodeObject(json: string): KubeObject {
  return (mayHoldLargeInteger.test(json) ? parseJsonValue(json) : JSON.parse(json)) as KubeObject;
}
