import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runCommand } from '@slipway/base';
import { sharedLibrariesOf } from './shared-libraries.js';

export interface ContainerImage {
  /** The image reference, such as `registry.k8s.io/pause:3.10`. */
  readonly name: string;
  /** Paths of the programs in the image. The first one is the entrypoint. */
  readonly programs: readonly string[];
  /** Paths of links to the entrypoint. */
  readonly links?: readonly string[];
}

const programFolder = '/usr/local/bin';

/**
 * Writes an image that contains only programs and the libraries that they need, as an OCI archive. The archive is
 * reproducible: it contains no times and owners.
 */
export async function writeContainerImage(image: ContainerImage, archive: string): Promise<void> {
  const folder = await mkdtemp(`${archive}.`);
  try {
    const layer = await writeLayer(image, folder);
    const entrypoint = [entrypointOf(image)];
    const config = await writeBlob(folder, {
      architecture: architectures[process.arch] ?? process.arch,
      os: 'linux',
      config: { Env: [`PATH=${programFolder}:/usr/sbin:/usr/bin:/sbin:/bin`], Entrypoint: entrypoint },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    });
    const manifest = await writeBlob(folder, {
      schemaVersion: 2,
      mediaType: mediaTypes.manifest,
      config: { mediaType: mediaTypes.config, ...config },
      layers: [{ mediaType: mediaTypes.layer, ...layer }],
    });
    const annotations = { 'io.containerd.image.name': image.name };
    const index = { schemaVersion: 2, manifests: [{ mediaType: mediaTypes.manifest, ...manifest, annotations }] };
    await writeFile(join(folder, 'index.json'), JSON.stringify(index));
    await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    await rm(join(folder, 'layer'), { recursive: true });
    await archiveFolder(folder, archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const mediaTypes = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
} as const;

interface Blob {
  readonly digest: string;
  readonly size: number;
}

function entrypointOf({ programs }: ContainerImage): string {
  return `${programFolder}/${basename(programs[0] ?? '')}`;
}

async function writeLayer(image: ContainerImage, folder: string): Promise<Blob> {
  const root = join(folder, 'layer');
  for (const program of image.programs) {
    const target = join(root, programFolder, basename(program));
    await place(program, target);
    await chmod(target, 0o755);
    for (const library of await sharedLibrariesOf(program)) await place(library, join(root, library));
  }
  for (const link of image.links ?? []) {
    await mkdir(join(root, dirname(link)), { recursive: true });
    await symlink(entrypointOf(image), join(root, link));
  }
  await mkdir(join(root, 'tmp'), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  const tar = join(folder, 'layer.tar');
  await archiveFolder(root, tar);
  return keepBlob(folder, tar);
}

async function place(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target, constants.COPYFILE_FICLONE);
}

async function writeBlob(folder: string, content: object): Promise<Blob> {
  const file = join(folder, 'blob');
  await writeFile(file, JSON.stringify(content));
  return keepBlob(folder, file);
}

/** Moves a file to the path of its digest. */
async function keepBlob(folder: string, file: string): Promise<Blob> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  const hex = hash.digest('hex');
  const { size } = await stat(file);
  await mkdir(join(folder, 'blobs/sha256'), { recursive: true });
  await rename(file, join(folder, 'blobs/sha256', hex));
  return { digest: `sha256:${hex}`, size };
}

async function archiveFolder(folder: string, archive: string): Promise<void> {
  const plain = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  await runCommand('tar', [...plain, '-cf', archive, '-C', folder, '.'], { timeoutMs: 600_000 });
}
