import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '@slipway/base';
import { type BundleFile, makeBundle, olmBundle } from '@slipway/drivers';
import { appendText, chunksOf, endArchive, MalformedArchive, readEntries } from '../../archive/tar.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { ownImages } from '../../own-images.js';
import { slipwayVersion } from '../../version.js';

export async function createBundle(flags: {
  cpi?: readonly string[];
  csi?: readonly string[];
  file: string;
}): Promise<ExitCode> {
  const files = makeBundle({ cpi: flags.cpi, csi: flags.csi });
  await writeBundleFiles(flags.file, files);
  process.stdout.write(
    `${flags.file}: ${files.length} files. Next: \`slipway drivers deploy --bundle ${flags.file} --image-registry REGISTRY\`\n`,
  );
  return exitCodes.ok;
}

export async function listBundleImages(flags: { file?: string }): Promise<void> {
  const files = flags.file === undefined ? makeBundle({}) : await readBundleFiles(flags.file);
  process.stdout.write(files.find(({ name }) => name === 'images.txt')?.text ?? '');
}

export async function writeOlmBundle(directory: string, flags: { image?: string }): Promise<void> {
  const image = flags.image ?? ownImages.manager;
  for (const { name, text } of olmBundle({ image, version: slipwayVersion })) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  process.stdout.write(
    `${directory}: bundle written. OLM grants permissions only in its own namespace: run \`kubectl apply -f ${join(directory, 'roles.yaml')}\` once.\n`,
  );
}

/** Reads the files of a bundle from its archive. */
export async function readBundleFiles(path: string): Promise<BundleFile[]> {
  const archive = await open(path, 'r').catch((error: unknown) => {
    throw new CliError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
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
    throw new CliError(`${path} is not a bundle: ${error.message}`, {
      remedy: 'create one with `slipway drivers bundle create -f FILE`',
      cause: error,
    });
  } finally {
    await archive.close();
  }
}

async function writeBundleFiles(path: string, files: readonly BundleFile[]): Promise<void> {
  const archive = await open(path, 'w');
  try {
    for (const { name, text } of files) await appendText(archive, name, text, systemClock.now());
    await endArchive(archive);
  } finally {
    await archive.close();
  }
}
