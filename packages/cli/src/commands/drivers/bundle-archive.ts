import { open } from 'node:fs/promises';
import { systemClock } from '@slipway/base';
import type { BundleFile } from '@slipway/drivers';
import { appendText, chunksOf, endArchive, MalformedArchive, readEntries } from '../../archive/tar.js';
import { CliError } from '../../errors/index.js';

/** The files of a bundle, from the archive that they travel in. */
export async function readBundleFiles(path: string): Promise<BundleFile[]> {
  const archive = await open(path, 'r').catch((error: unknown) => {
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  try {
    const files: BundleFile[] = [];
    for (const { name, start, size } of await readEntries(archive)) {
      const chunks: Buffer[] = [];
      for await (const chunk of chunksOf(archive, start, size)) chunks.push(chunk);
      files.push({ name, text: Buffer.concat(chunks).toString('utf8') });
    }
    return files;
  } catch (error) {
    if (!(error instanceof MalformedArchive)) throw error;
    throw new CliError(`${path} is no bundle: ${error.message}`, {
      remedy: '`slipway drivers bundle create -f FILE`',
      cause: error,
    });
  } finally {
    await archive.close();
  }
}

export async function writeBundleFiles(path: string, files: readonly BundleFile[]): Promise<void> {
  const archive = await open(path, 'w');
  try {
    for (const { name, text } of files) await appendText(archive, name, text, systemClock.now());
    await endArchive(archive);
  } finally {
    await archive.close();
  }
}
