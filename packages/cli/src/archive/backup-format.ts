import type { DataVersion } from '@slipway/apiserver';

/** Names of the files in a backup. `objects` is in the format of the store; the other files are those of `pki/`. */
export const manifestName = 'slipway-backup.json';
export const objectsName = 'objects';
export const identityFiles = [
  'pki/ca.crt',
  'pki/ca.key',
  'pki/apiserver.crt',
  'pki/apiserver.key',
  'pki/admin.crt',
  'pki/admin.key',
  'pki/sa.key',
  'pki/sa.pub',
] as const;

/** Version of the archive format. Increased when older programs would misread an archive. */
export const archiveFormat = 1;

export interface Manifest {
  readonly format: number;
  /** Version of the program that wrote the backup. */
  readonly version: string;
  /** Time of the backup in RFC 3339 format. */
  readonly takenAt: string;
  readonly revision: number;
  readonly objects: number;
  /** Version of the data that was backed up. Absent in backups of earlier builds, which back up only their own data. */
  readonly data?: DataVersion;
  /** SHA-256 of every other file, in hexadecimal. */
  readonly digests: Readonly<Record<string, string>>;
}

/** Parses a manifest. Returns undefined if the text is not one. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value = JSON.parse(text) as Partial<Manifest> | null;
    if (typeof value?.format !== 'number' || typeof value.digests !== 'object') return undefined;
    return value as Manifest;
  } catch {
    return undefined;
  }
}

/** Returns the version of the program that wrote the objects of a backup, if it is known. */
export function writerOf({ data, version }: Manifest): string | undefined {
  return data === undefined ? version : data.writer;
}
