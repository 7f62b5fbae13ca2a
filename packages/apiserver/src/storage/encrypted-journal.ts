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
    if (this.encryption.hasPlugins) await this.#prepare();
    return this.journal.load({
      record: (record) => reader.record(decryptRecord(this.encryption, record)),
      undo: (revision, undo) => reader.undo(revision, this.#decryptUndo(undo)),
    });
  }

  /** Reads the journal once more before it is loaded: keys are decrypted by other processes, but records are read synchronously. */
  async #prepare(): Promise<void> {
    const [objects, history] = [new KeySources(this.encryption), new KeySources(this.encryption)];
    await this.journal.load({
      record: (record) => objects.add(record),
      undo: (_revision, undo) => history.add(undo.subarray(undoHeaderLength)),
    });
    await objects.prepare();
    // The reader drops history that it cannot read. Only objects must be readable.
    await history.prepare().catch(() => undefined);
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

/** Collects the encrypted records whose keys come from KMS plugins. */
class KeySources {
  readonly #records = new Map<string, Buffer>();

  constructor(private readonly encryption: Encryption) {}

  add(record: Buffer): void {
    const { key, bodyStart } = decodeRecordHeader(record);
    const source = this.encryption.keySourceOf(key, record.subarray(bodyStart));
    if (source !== undefined && !this.#records.has(source)) this.#records.set(source, Buffer.from(record));
  }

  async prepare(): Promise<void> {
    for (const record of this.#records.values()) {
      const { key, bodyStart } = decodeRecordHeader(record);
      await this.encryption.prepare(key, record.subarray(bodyStart));
    }
  }
}

/** Decrypts the keys of records at their KMS plugins, before `decryptRecord`. */
export async function prepareRecords(encryption: Encryption, records: readonly Buffer[]): Promise<void> {
  if (!encryption.hasPlugins) return;
  const sources = new KeySources(encryption);
  for (const record of records) sources.add(record);
  await sources.prepare();
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
