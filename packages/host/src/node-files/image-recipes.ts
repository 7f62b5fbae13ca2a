import { access, constants } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { runCommand } from '@slipway/base';

/** How an image is built from programs. */
export interface ImageRecipe {
  /** The image reference: `registry.k8s.io/pause:3.10`. */
  readonly name: string;
  /** Names of programs; the first is the entrypoint. The image is left out when the first one is not found. */
  readonly programs: readonly string[];
  /** The program without which nothing uses the image. */
  readonly usedBy?: string;
}

/** Programs that run others: kube-proxy and the network of Pods load their rules with nft. */
const companions: Readonly<Record<string, readonly string[]>> = { 'kube-proxy': ['nft'], 'pod-network': ['nft'] };

/** Images of add-ons, with the names that their manifests use. `slipway.local` is not a registry. */
const addOnImages = [
  'slipway.local/pod-network:v1',
  'docker.io/rancher/local-path-provisioner:v0.0.30',
  'registry.k8s.io/metrics-server/metrics-server:v0.9.0',
];

/** The shell of the Pods that create and delete directories for local-path-provisioner. */
const busyboxImage = 'slipway.local/busybox:v1';

/** The recipes for the images that kubeadm lists, and for the images of add-ons. */
export function imageRecipes(kubeadmImages: readonly string[]): readonly ImageRecipe[] {
  const recipes = [...kubeadmImages, ...addOnImages].map((name) => {
    const program = programOf(name);
    return { name, programs: [program, ...(companions[program] ?? [])] };
  });
  return [...recipes, { name: busyboxImage, programs: ['busybox'], usedBy: 'local-path-provisioner' }];
}

/** `coredns` for `registry.k8s.io/coredns/coredns:v1.14.2`. */
function programOf(image: string): string {
  return basename(image).replace(/:.*$/, '');
}

/** Packages of the programs that come from this host when the given directory does not have them. */
export const packages: Readonly<Record<string, string>> = { nft: 'nftables', busybox: 'busybox-static' };

/** The path of a program of this host. */
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

/** The links by which the commands of BusyBox are called, such as `/bin/sh`; none for other programs. */
export async function linksTo(busybox: string): Promise<readonly string[]> {
  if (basename(busybox) !== 'busybox') return [];
  const commands = (await runCommand(busybox, ['--list'])).split('\n');
  return commands.filter((name) => /^[\w.-]+$/.test(name) && name !== 'busybox').map((name) => `/bin/${name}`);
}
