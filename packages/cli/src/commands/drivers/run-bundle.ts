import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeBundle, olmBundle } from '@slipway/drivers';
import { type ExitCode, exitCodes } from '../../errors/index.js';
import { slipwayVersion } from '../../version.js';
import { readBundleFiles, writeBundleFiles } from './bundle-archive.js';

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
  const image = flags.image ?? `docker.io/slipway/manager:v${slipwayVersion}`;
  for (const { name, text } of olmBundle({ image, version: slipwayVersion })) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  process.stdout.write(
    `${directory}: the bundle. OLM grants rights in its own namespace only: \`kubectl apply -f ${join(directory, 'roles.yaml')}\` once.\n`,
  );
}
