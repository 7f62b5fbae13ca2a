import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ImageStore, type NamedImage } from '../local/images/index.js';
import { replaceFile } from '../local/layout.js';

/** Puts the files of an image into the store of this host, under the name by which machines ask for it. */
export async function storeNamedImage(
  directory: string,
  name: string,
  files: Required<NamedImage>,
): Promise<NamedImage> {
  await mkdir(directory, { recursive: true });
  const image: NamedImage = {
    disk: await put(files.disk, directory, '.qcow2'),
    kernel: await put(files.kernel, directory, ''),
    initrd: await put(files.initrd, directory, ''),
    commandLine: files.commandLine,
  };
  await replaceFile(new ImageStore(directory).namedPath(name), JSON.stringify(image));
  return image;
}

/** By its contents, so that machines that run from another of this name keep theirs. */
async function put(path: string, directory: string, suffix: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const target = join(directory, `sha256-${hash.digest('hex')}${suffix}`);
  const fresh = join(directory, `.build-${basename(target)}`);
  await copyFile(path, fresh);
  await chmod(fresh, 0o444);
  await rename(fresh, target);
  return target;
}
