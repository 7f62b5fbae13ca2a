import type { FileHandle } from 'node:fs/promises';
import { CliError } from '../errors/index.js';
import {
  archiveFormat,
  identityFiles,
  type Manifest,
  manifestName,
  objectsName,
  parseManifest,
} from './backup-format.js';
import { chunksOf, digestOf, MalformedArchive, readEntries, type TarEntry } from './tar.js';

const manifestBytesMax = 1_048_576;

export interface BackupArchive {
  readonly manifest: Manifest;
  /** The files except the manifest, with verified names and digests. */
  readonly entries: readonly TarEntry[];
}

/** Reads the manifest of a backup and verifies the checksums of all other files. */
export async function readBackup(source: string, archive: FileHandle): Promise<BackupArchive> {
  const entries = await entriesOf(source, archive);
  const [first, ...rest] = entries;
  const text = first?.name === manifestName && first.size <= manifestBytesMax ? await readText(archive, first) : '';
  const manifest = parseManifest(text);
  if (manifest === undefined) throw invalidBackupError(source, 'it is not a Slipway backup');
  if (manifest.format > archiveFormat) {
    throw new CliError(`${source} was written by a newer version (${manifest.version}, format ${manifest.format})`, {
      remedy: 'restore it with that version of slipway',
    });
  }
  await checkContent(source, archive, manifest, rest);
  return { manifest, entries: rest };
}

async function entriesOf(source: string, archive: FileHandle): Promise<TarEntry[]> {
  try {
    return await readEntries(archive);
  } catch (error) {
    throw error instanceof MalformedArchive ? invalidBackupError(source, error.message) : error;
  }
}

async function checkContent(
  source: string,
  archive: FileHandle,
  manifest: Manifest,
  entries: readonly TarEntry[],
): Promise<void> {
  const known: ReadonlySet<string> = new Set([objectsName, ...identityFiles]);
  const names = entries.map(({ name }) => name);
  for (const { name, start, size } of entries) {
    // Rejecting unknown names also prevents path traversal out of the directory.
    if (!known.has(name)) throw invalidBackupError(source, `it contains an unexpected file: ${JSON.stringify(name)}`);
    if ((await digestOf(archive, start, size)) !== manifest.digests[name]) {
      throw invalidBackupError(source, `the checksum of ${name} does not match`);
    }
  }
  const missing = [objectsName, ...Object.keys(manifest.digests)].find((name) => !names.includes(name));
  if (missing !== undefined) throw invalidBackupError(source, `it does not contain ${missing}`);
}

async function readText(archive: FileHandle, { start, size }: TarEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(archive, start, size)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export function invalidBackupError(source: string, problem: string): CliError {
  return new CliError(`${source} cannot be restored: ${problem}`, {
    remedy: 'use another backup; nothing was written',
  });
}
