import { join, resolve } from 'node:path';
import { nodeFilesFolder, PrepareError, prepareNodeFiles } from '@slipway/host';
import { buildNodeImage, buildTinyImage, ImageBuildError, pruneImages, storeTinyImage } from '@slipway/kvm';
import { CliError, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { printValue } from '../../output/index.js';
import type { ImageBuildOptions, ImageListOptions, ImagePrepareOptions, ImagePruneOptions } from './command.js';
import { deployedImages } from './deployed-images.js';

export async function prepareImage(options: ImagePrepareOptions): Promise<void> {
  const folder = nodeFilesFolder(dataDirectory(options.dataDir).host);
  const from = resolve(options.from);
  const onStep = (step: string): void => void process.stderr.write(`${step}\n`);
  try {
    const { directory, images, kubernetesVersion } = await onFile('use', folder, () =>
      prepareNodeFiles({ version: options.kubernetesVersion, from, folder, onStep }),
    );
    process.stdout.write(`Kubernetes ${kubernetesVersion} with ${images.length} images prepared in ${directory}\n`);
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    throw new CliError(error.message, { remedy: error.remedy, cause: error });
  }
}

const gibibyte = 1024 ** 3;

export async function buildImage(options: ImageBuildOptions): Promise<void> {
  const { kvm } = dataDirectory(options.dataDir);
  const imageDirectory = join(kvm, 'images');
  if (options.tiny === true) {
    const name = options.name ?? 'tiny';
    const image = await buildTinyImage({ directory: join(kvm, 'tiny') });
    await storeTinyImage(image, imageDirectory, name);
    process.stdout.write(`built image ${name} in ${image.disk}; machines use it with spec.image.name: ${name}\n`);
    return;
  }
  const name = options.name ?? 'debian';
  try {
    const image = await buildNodeImage({
      name,
      imageDirectory,
      suite: options.suite,
      ...(options.source !== undefined && { source: options.source }),
      packages: options.package,
      files: filesOf(options.file),
      diskBytes: Number(options.diskSize) * gibibyte,
      sourceDateEpoch: Number(options.sourceDateEpoch),
      onProgress: (step) => process.stderr.write(`${step}\n`),
    });
    process.stdout.write(`built image ${name} in ${image.disk}; machines use it with spec.image.name: ${name}\n`);
  } catch (error) {
    if (!(error instanceof ImageBuildError)) throw error;
    throw new CliError(error.message, { cause: error });
  }
}

/** Parses values such as `./kubelet:/usr/bin/kubelet` to a map of paths in the image to local files. */
function filesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.lastIndexOf(':/');
      if (at < 1)
        throw new CliError(`--file ${text} has no path in the image`, { remedy: 'write file:/path/in/image' });
      return [text.slice(at + 1), resolve(text.slice(0, at))] as const;
    }),
  );
}

const mebibyte = 1024 ** 2;

export async function pruneStoredImages(options: ImagePruneOptions): Promise<void> {
  const { removed, bytes } = await pruneImages(dataDirectory(options.dataDir).kvm);
  for (const path of removed) process.stdout.write(`${path}\n`);
  process.stdout.write(`${removed.length} images removed, ${Math.round(bytes / mebibyte)} MiB\n`);
}

/** Prints every image that a command of this program can deploy. */
export async function listDeployedImages({ output }: ImageListOptions): Promise<void> {
  const images = await deployedImages();
  await printValue(images, output, () => images.map((image) => `${image}\n`).join(''));
}
