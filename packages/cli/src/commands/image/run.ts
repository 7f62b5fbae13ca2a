import { join, resolve } from 'node:path';
import { buildNodeImage, buildTinyImage, ImageBuildError, storeTinyImage } from '@slipway/kvm';
import type { ImageBuildOptions } from './build-command.js';
import { CliError } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';

const gibibyte = 1024 ** 3;

export async function buildImage(options: ImageBuildOptions): Promise<void> {
  const { kvm } = dataDirectory(options.dataDir);
  const imageDirectory = join(kvm, 'images');
  if (options.tiny === true) {
    const name = options.name ?? 'tiny';
    const image = await buildTinyImage({ directory: join(kvm, 'tiny') });
    await storeTinyImage(image, imageDirectory, name);
    process.stdout.write(`image ${name} is ready for spec.image.name: ${image.disk}\n`);
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
    process.stdout.write(`image ${name} is ready for spec.image.name: ${image.disk}\n`);
  } catch (error) {
    if (!(error instanceof ImageBuildError)) throw error;
    throw new CliError(error.message, { cause: error });
  }
}

/** `./kubelet:/usr/bin/kubelet` */
function filesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.lastIndexOf(':/');
      if (at < 1)
        throw new CliError(`--file ${text} names no place in the image`, { remedy: 'write file:/path/in/image' });
      return [text.slice(at + 1), resolve(text.slice(0, at))] as const;
    }),
  );
}
