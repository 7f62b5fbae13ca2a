import type { KubeObject } from '@slipway/kube';
import type { StorageKey } from '../contract/index.js';
import type { Encryption } from '../encryption/index.js';
import { decryptRecord, prepareRecords, requirePlain } from './encrypted-journal.js';
import { readSnapshot } from './lmdb-journal.js';
import { decodeObject, decodeRecordHeader } from './record.js';

export interface StoredRecord {
  readonly key: StorageKey;
  /** Parses the object. */
  decode(): KubeObject;
}

/**
 * Reads all objects of a directory without changing it, also of an older format. Throws if one of them cannot be decrypted.
 */
export async function readStoredObjects(
  directory: string,
  encryption: Encryption | undefined,
): Promise<readonly StoredRecord[]> {
  const { records } = (await readSnapshot(directory)) ?? { records: [] };
  if (encryption !== undefined) await prepareRecords(encryption, records);
  return records.map((stored) => {
    const record = encryption === undefined ? requirePlain(stored) : decryptRecord(encryption, stored);
    const { key, bodyStart } = decodeRecordHeader(record);
    return { key, decode: () => decodeObject(record.toString('utf8', bodyStart)) };
  });
}
