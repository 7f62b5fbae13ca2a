import { pruneImages } from '@slipway/kvm';
import type { ImagePruneOptions } from './prune-command.js';
import { dataDirectory } from '../../instance/index.js';

const mebibyte = 1024 ** 2;

export async function pruneStoredImages(options: ImagePruneOptions): Promise<void> {
  const { removed, bytes } = await pruneImages(dataDirectory(options.dataDir).kvm);
  for (const path of removed) process.stdout.write(`${path}\n`);
  process.stdout.write(`${removed.length} images removed, ${Math.round(bytes / mebibyte)} MiB\n`);
}
