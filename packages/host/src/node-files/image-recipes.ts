import { access, constants } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { runCommand } from '@slipway/base';

/** How an image is built from programs. */
export interface ImageRecipe {
  /** The image reference, such as `registry.k8s.io/pause:3.10`. */
  readonly name: string;
  /** Names of programs. The first one is the entrypoint. If it is not found, the image is not built. */
  readonly programs: readonly string[];
  /** The program that uses the image. Without it the image is not needed. */
  readonly usedBy?: string;
}

/** Programs that other programs run: kube-proxy and the Pod network load their rules with nft. */
const companions: Readonly<Record<string, readonly string[]>> = { 'kube-proxy': ['nft'], 'pod-network': ['nft'] };

/** Images of add-ons, with the names that their manifests use. `slipway.local` is not a real registry. */
const addOnImages = [
  'slipway.local/pod-network:v1',
  'docker.io/rancher/local-path-provisioner:v0.0.30',
  'registry.k8s.io/metrics-server/metrics-server:v0.9.0',
];

/** The image with the shell for Pods that create and delete directories for local-path-provisioner. */
const busyboxImage = 'slipway.local/busybox:v1';

/** Returns the recipes for the images that kubeadm lists, and for the images of add-ons. */
export function imageRecipes(kubeadmImages: readonly string[]): readonly ImageRecipe[] {
  const recipes = [...kubeadmImages, ...addOnImages].map((name) => {
    const program = programOf(name);
    return { name, programs: [program, ...(companions[program] ?? [])] };
  });
  return [...recipes, { name: busyboxImage, programs: ['busybox'], usedBy: 'local-path-provisioner' }];
}

/** Returns the program of an image: `coredns` for `registry.k8s.io/coredns/coredns:v1.14.2`. */
function programOf(image: string): string {
  return basename(image).replace(/:.*$/, '');
}

/** Debian packages of programs that are taken from this host if the given directory does not contain them. */
export const packages: Readonly<Record<string, string>> = { nft: 'nftables', busybox: 'busybox-static' };

/** Returns the path of a program of this host. */
export async function findOnPath(name: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Try the next directory.
    }
  }
  return undefined;
}

/** Returns the links by which the commands of BusyBox are called, such as `/bin/sh`. Empty for other programs. */
export async function linksTo(busybox: string): Promise<readonly string[]> {
  if (basename(busybox) !== 'busybox') return [];
  const commands = (await runCommand(busybox, ['--list'])).split('\n');
  return commands.filter((name) => /^[\w.-]+$/.test(name) && name !== 'busybox').map((name) => `/bin/${name}`);
}
