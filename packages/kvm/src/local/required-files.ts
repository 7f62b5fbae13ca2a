import type { Frozen } from '@slipway/kube';
import type { KVMMachine } from '../api/index.js';
import { MachineProblem } from './errors.js';
import type { ImageStore, NamedImage, RequiredFile } from './images/index.js';

type Spec = NonNullable<Frozen<KVMMachine>['spec']>;

export interface RequiredFiles {
  /** Files to fetch by their role: root, kernel or initrd. */
  readonly fetched: Readonly<Record<string, RequiredFile>>;
  /** Path of the disk of a named image, which is already in the store. The same applies to the kernel and the initrd. */
  readonly disk?: string;
  readonly kernel?: string;
  readonly initrd?: string;
  readonly commandLine: string;
  readonly bootsKernel: boolean;
}

const commandLineDefault = 'console=ttyS0 root=/dev/disk/by-id/virtio-rootfs rw';

/** Returns the files that the machine boots from. */
export async function requiredFiles(
  { spec = {} }: Pick<Frozen<KVMMachine>, 'spec'>,
  store: ImageStore,
): Promise<RequiredFiles> {
  const name = spec.imageRef ?? spec.image?.name;
  const named = name === undefined ? undefined : await findNamed(name, store);
  const disk = named === undefined ? rootFile(spec) : undefined;
  // A named image with a kernel file cannot boot from its disk alone.
  const bootMode = spec.bootMode ?? (named?.kernel === undefined ? 'disk' : 'kernel');
  const bootsKernel = bootMode === 'kernel';
  if (!bootsKernel && named === undefined && disk === undefined) throw noImage();
  const boot = bootsKernel ? bootFiles(spec, named) : { fetched: {} };
  return {
    ...boot,
    fetched: { ...boot.fetched, ...(disk !== undefined && { root: disk }) },
    ...(named !== undefined && { disk: named.disk }),
    commandLine: commandLineOf(spec, named),
    bootsKernel,
  };
}

function commandLineOf({ kernel }: Spec, named: NamedImage | undefined): string {
  return kernel?.commandLine ?? named?.commandLine ?? commandLineDefault;
}

function rootFile({ image }: Spec): RequiredFile | undefined {
  const url = urlOf(image);
  return url === undefined ? undefined : file('disk', url, image?.checksum);
}

/** Returns the boot files of the spec, or those of the named image. */
function bootFiles(
  { kernel }: Spec,
  named: NamedImage | undefined,
): Pick<RequiredFiles, 'fetched' | 'kernel' | 'initrd'> {
  if (kernel === undefined) {
    if (named?.kernel === undefined)
      throw new MachineProblem('ImageReady', 'InvalidSpec', 'boot mode kernel requires spec.kernel.image');
    return { fetched: {}, kernel: named.kernel, ...(named.initrd !== undefined && { initrd: named.initrd }) };
  }
  const { image, initrd } = kernel;
  return {
    fetched: {
      kernel: file('boot', image.url, image.checksum),
      ...(initrd !== undefined && { initrd: file('boot', initrd.url, initrd.checksum) }),
    },
  };
}

async function findNamed(name: string, store: ImageStore): Promise<NamedImage> {
  const named = await store.byName(name);
  if (named !== undefined) return named;
  const remedy = 'build it with `slipway image build`, or set spec.image.url';
  throw new MachineProblem(
    'ImageReady',
    'ImageMissing',
    `image ${name} not found in the image store of this host: ${remedy}`,
  );
}

function noImage(): MachineProblem {
  return new MachineProblem(
    'ImageReady',
    'InvalidSpec',
    'the image is not set: set spec.image.url, spec.image.name or spec.imageRef',
  );
}

/** Returns the URL of the image. Flatcar images come from Flatcar's release server. */
function urlOf(image: Spec['image']): string | undefined {
  if (image?.url !== undefined || image?.channel === undefined) return image?.url;
  const version = image.version ?? 'current';
  return `https://${image.channel}.release.flatcar-linux.net/amd64-usr/${version}/flatcar_production_qemu_image.img`;
}

function file(kind: RequiredFile['kind'], url: string, checksum: string | undefined): RequiredFile {
  return { kind, url, sha256: checksum?.replace(/^sha256:/, '').toLowerCase() };
}
