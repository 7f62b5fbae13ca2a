import { resolve } from 'node:path';
import { nodeFilesFolder, PrepareError, prepareNodeFiles } from '@slipway/host';
import type { ImagePrepareOptions } from './command.js';
import { CliError, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';

export async function prepareImage(options: ImagePrepareOptions): Promise<void> {
  const folder = nodeFilesFolder(dataDirectory(options.dataDir).host);
  const from = resolve(options.from);
  const onStep = (step: string): void => void process.stderr.write(`${step}\n`);
  try {
    const { directory, images, kubernetesVersion } = await onFile('use', folder, () =>
      prepareNodeFiles({ version: options.kubernetesVersion, from, folder, onStep }),
    );
    process.stdout.write(`Kubernetes ${kubernetesVersion} with ${images.length} images is prepared in ${directory}\n`);
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    throw new CliError(error.message, { remedy: error.remedy, cause: error });
  }
}
