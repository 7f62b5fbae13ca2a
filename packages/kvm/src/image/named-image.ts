import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ImageStore, type NamedImage } from '../local/images/index.js';
import { replaceFile } from '../local/layout.js';

/** Adds the files of an image to the image store of this host under a name. */
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

/** Copies a file into the image store under its checksum, so that existing machines keep the image that had this name before. */
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
