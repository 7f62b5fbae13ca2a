import { CommandError, runCommand } from '@slipway/base';
import { MachineProblem } from '../errors.js';

export interface ImageInfo {
  readonly format: string;
  readonly virtualBytes: number;
}

interface QemuImageInfo {
  readonly format: string;
  readonly 'virtual-size': number;
  readonly 'backing-filename'?: string;
  readonly 'format-specific'?: { readonly data?: { readonly 'data-file'?: string } };
}

/** Reads format and size. An image that refers to other files of this host is rejected: the guest could read them. */
export async function readImage(path: string): Promise<ImageInfo> {
  let info;
  try {
    info = JSON.parse(await runCommand('qemu-img', ['info', '-U', '--output=json', path])) as QemuImageInfo;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new MachineProblem('ImageReady', 'ImageMissing', `${path} is not a disk image: ${error.output}`);
  }
  const other = info['backing-filename'] ?? info['format-specific']?.data?.['data-file'];
  if (other !== undefined)
    throw new MachineProblem(
      'ImageReady',
      'InvalidSpec',
      `${path} refers to ${other}: use an image without a backing file`,
    );
  return { format: info.format, virtualBytes: info['virtual-size'] };
}
