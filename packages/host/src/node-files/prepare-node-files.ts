import { access, chmod, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runCommand } from '@slipway/base';
import { writeContainerImage } from './container-image.js';
import { findOnPath, imageRecipes, type ImageRecipe, linksTo, packages } from './image-recipes.js';
import { findNodeFiles, listName, type NodeFiles, type NodeFilesList, withV } from './node-files.js';

export interface PrepareOptions {
  readonly version: string;
  /** The directory with programs: `DIR/kubelet`, or `DIR/v1.36.3/kubelet` for one of several versions. */
  readonly from: string;
  /** The output directory, with a subdirectory for each version. */
  readonly folder: string;
  readonly onStep?: (step: string) => void;
}

export class PrepareError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'PrepareError';
  }
}

const programs = ['kubelet', 'kubeadm', 'containerd', 'containerd-shim-runc-v2', 'ctr', 'runc'];
/** Optional programs. They are included if they are found. */
const furtherPrograms = ['kubectl', 'etcdctl'];
const plugins = ['loopback', 'ptp', 'host-local'];
const furtherPlugins = ['portmap', 'bridge', 'bandwidth'];
/** Required images, without which a control plane does not start. Others are optional. */
const neededImages = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd', 'pause'];

/**
 * Assembles the node files of a version: copies programs and network plugins, and builds container images from programs or copies
 * them from archives in `DIR/images`. Atomic: the output directory is complete or does not exist.
 */
export async function prepareNodeFiles(options: PrepareOptions): Promise<NodeFiles> {
  const version = withV(options.version);
  if (!/^v\d+\.\d+\.\d+([-+][\w.-]+)?$/.test(version))
    throw new PrepareError(`${options.version} is not a Kubernetes version`, 'use a version such as v1.36.3');
  await mkdir(options.folder, { recursive: true });
  const staging = await mkdtemp(join(options.folder, '.preparing-'));
  try {
    const list = await assemble({ ...options, version }, staging);
    await writeFile(join(staging, listName), `${JSON.stringify(list, undefined, 2)}\n`);
    await chmod(staging, 0o755);
    const target = join(options.folder, version);
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return findNodeFiles(options.folder, version);
}

async function assemble(options: PrepareOptions, staging: string): Promise<NodeFilesList> {
  const { version, from, onStep } = options;
  const find = (name: string): Promise<string | undefined> => findFile([join(from, version, name), join(from, name)]);
  onStep?.('programs');
  const found = await findAll(options, find, programs);
  await checkVersion(found.get('kubelet') ?? '', ['--version'], version);
  await checkVersion(found.get('kubeadm') ?? '', ['version', '-o', 'short'], version);
  await copyInto(join(staging, 'bin'), [...found.values(), ...(await present(find, furtherPrograms))]);
  const inCni = (name: string): Promise<string | undefined> => find(join('cni', name));
  const cni = await findAll(options, inCni, plugins);
  await copyInto(join(staging, 'cni'), [...cni.values(), ...(await present(inCni, furtherPlugins))]);
  await mkdir(join(staging, 'images'));
  return assembleImages(options, staging, find, found.get('kubeadm') ?? '');
}

type Find = (name: string) => Promise<string | undefined>;

async function assembleImages(
  options: PrepareOptions,
  staging: string,
  find: Find,
  kubeadm: string,
): Promise<NodeFilesList> {
  const { version, onStep } = options;
  const list = ['config', 'images', 'list', '--kubernetes-version', version];
  const desired = (await runCommand(kubeadm, list)).split('\n').filter((line) => line !== '');
  const given = await givenArchives(options);
  const images = await copyArchives(given, staging);
  // If archives are provided, they must contain all images: their content is unknown without reading them.
  const recipes = given.length > 0 ? [] : imageRecipes(desired);
  for (const recipe of recipes) {
    const { name } = recipe;
    const [first = '', ...others] = await programsOf(recipe, options, find);
    if (first === '') continue;
    onStep?.(name);
    const file = `${basename(first)}.tar`;
    const image = { name, programs: [first, ...others], links: await linksTo(first) };
    await writeContainerImage(image, join(staging, 'images', file));
    images.push({ file, name });
  }
  const sandboxImage = desired.find((name) => basename(name).startsWith('pause:')) ?? '';
  return { kubernetesVersion: version, sandboxImage, images };
}

/** Returns the paths of the programs of an image. Empty for an optional image whose program is not provided. */
async function programsOf(recipe: ImageRecipe, options: PrepareOptions, find: Find): Promise<readonly string[]> {
  const [first = ''] = recipe.programs;
  if ((await find(recipe.usedBy ?? first)) === undefined) {
    if (neededImages.includes(first)) throw missing(options, [first]);
    return [];
  }
  const paths: string[] = [];
  for (const name of recipe.programs) {
    const path = (await find(name)) ?? (name in packages ? await findOnPath(name) : undefined);
    if (path === undefined)
      throw new PrepareError(
        `the image ${recipe.name} requires the program ${name}, which was not found on this host`,
        `install ${packages[name] ?? name}, or copy the program to ${options.from}`,
      );
    paths.push(path);
  }
  return paths;
}

async function givenArchives({ from, version }: PrepareOptions): Promise<readonly string[]> {
  for (const folder of [join(from, version, 'images'), join(from, 'images')]) {
    const names = await readdir(folder).catch(() => []);
    const archives = names.filter((name) => name.endsWith('.tar')).sort();
    if (archives.length > 0) return archives.map((name) => join(folder, name));
  }
  return [];
}

async function copyArchives(archives: readonly string[], staging: string): Promise<{ file: string; name: string }[]> {
  for (const path of archives)
    await copyFile(path, join(staging, 'images', basename(path)), constants.COPYFILE_FICLONE);
  return archives.map((path) => ({ file: basename(path), name: '' }));
}

async function findAll(options: PrepareOptions, find: Find, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const path = await find(name);
    if (path !== undefined) found.set(name, path);
  }
  const absent = names.filter((name) => !found.has(name));
  if (absent.length > 0) throw missing(options, absent);
  return found;
}

function missing({ from, version }: PrepareOptions, names: readonly string[]): PrepareError {
  return new PrepareError(
    `${from} does not contain ${names.join(', ')}`,
    `copy ${names.length === 1 ? 'it' : 'them'} to that directory or to ${join(from, version)}; in a checkout, \`npm run peers\` builds the required programs into .peers/bin`,
  );
}

async function present(find: Find, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(find));
  return found.filter((path) => path !== undefined);
}

async function checkVersion(program: string, args: readonly string[], version: string): Promise<void> {
  const output = (await runCommand(program, args)).trim().replace(/^Kubernetes /, '');
  if (output === version) return;
  throw new PrepareError(
    `${program} has version ${output}, not ${version}`,
    `set --from to a directory with ${version}, or set --kubernetes-version to ${output}`,
  );
}

async function copyInto(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(folder);
  for (const path of files) {
    const target = join(folder, basename(path));
    await copyFile(path, target, constants.COPYFILE_FICLONE);
    await chmod(target, 0o755);
  }
}

async function findFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    try {
      await access(path, constants.R_OK);
      return path;
    } catch {
      // Try the next directory.
    }
  }
  return undefined;
}
