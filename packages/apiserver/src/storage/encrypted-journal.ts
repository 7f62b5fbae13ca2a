import { DecryptionFailed, type Encryption, isEncrypted } from '../encryption/index.js';
import type { Journal, JournalBatch, JournalReader, JournalState, JournalWrite } from './journal.js';
import { bodyStartOf, decodeRecordHeader } from './record.js';
import { undoHeaderLength } from './undo.js';

/** Encrypts the objects of another journal. Keys, revisions and resource names stay readable. */
export class EncryptedJournal implements Journal {
  readonly durable = true;

  constructor(
    private readonly journal: Journal,
    private readonly encryption: Encryption,
  ) {}

  async load(reader: JournalReader): Promise<JournalState> {
    return this.journal.load({
      record: (record) => reader.record(decryptRecord(this.encryption, record)),
      undo: (revision, undo) => reader.undo(revision, this.#decryptUndo(undo)),
    });
  }

  append(take: () => JournalBatch): Promise<void> {
    return this.journal.append(() => {
      const batch = take();
      return { ...batch, writes: batch.writes.map((write) => this.#encrypt(write)) };
    });
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  #encrypt({ key, revision, record, undo }: JournalWrite): JournalWrite {
    return {
      key,
      revision,
      record: record && encryptRecord(this.encryption, record),
      undo: undo && this.#encryptUndo(undo),
    };
  }

  #encryptUndo(undo: Buffer): Buffer {
    const replaced = undo.subarray(undoHeaderLength);
    if (bodyStartOf(replaced) === replaced.length) return undo;
    return Buffer.concat([undo.subarray(0, undoHeaderLength), encryptRecord(this.encryption, replaced)]);
  }

  #decryptUndo(undo: Buffer): Buffer {
    const replaced = undo.subarray(undoHeaderLength);
    if (bodyStartOf(replaced) === replaced.length) return undo;
    try {
      return Buffer.concat([undo.subarray(0, undoHeaderLength), decryptRecord(this.encryption, replaced)]);
    } catch (error) {
      // The reader drops history that it cannot read. Only objects must be readable.
      if (error instanceof DecryptionFailed) return undo;
      throw error;
    }
  }
}

/** Throws if a record is encrypted. For stores that are opened without a configuration. */
export function requirePlain(record: Buffer): Buffer {
  const { key, bodyStart } = decodeRecordHeader(record);
  if (isEncrypted(record.subarray(bodyStart)))
    throw new DecryptionFailed(key, 'it is encrypted, but no encryption configuration is set');
  return record;
}

export function encryptRecord(encryption: Encryption, record: Buffer): Buffer {
  const { key, bodyStart } = decodeRecordHeader(record);
  const plain = record.subarray(bodyStart);
  const value = encryption.encrypt(key, plain);
  return value === plain ? record : Buffer.concat([record.subarray(0, bodyStart), value]);
}

/** Returns the record with its JSON. */
export function decryptRecord(encryption: Encryption, record: Buffer): Buffer {
  const { key, bodyStart } = decodeRecordHeader(record);
  const value = record.subarray(bodyStart);
  const plain = encryption.decrypt(key, value);
  return plain === value ? record : Buffer.concat([record.subarray(0, bodyStart), plain]);
}
