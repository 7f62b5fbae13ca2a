// Builds the container images from the Node.js and the Debian packages of this host, without a container runtime.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  copyCopyrights,
  copyHostFile,
  copyPrograms,
  findProgram,
  packagesOf,
  sharedLibraries,
} from './image/debian-files.mjs';
import { layerOf, writeOciArchive } from './image/oci-archive.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stage = join(root, 'dist/images');
/** The user of the Deployments that Slipway generates. */
const user = 65_532;
const packageFolder = 'usr/local/lib/node_modules/slipway';
const dataFolder = 'var/lib/slipway';
/** Links to the programs of the npm package. */
const programLinks = {
  'usr/local/bin/slipway': 'slipway',
  'usr/local/bin/vdoctl': 'vdoctl',
  // Where OpenShift's manifests expect it, so that the image can take the place of that one in a release payload.
  'usr/bin/machine-approver': 'machine-approver',
};

/** Programs that the launcher of KVM pods runs. */
const launcherPrograms = ['qemu-system-x86_64', 'qemu-img', 'ip'];
const launcherPackages = 'qemu-system-x86, qemu-utils, iproute2, seabios, ipxe-qemu and ovmf';
/** Modules of QEMU for the devices of machines. Debian's QEMU loads them on demand. */
const qemuModules = ['accel-tcg-x86_64.so'].map((name) => `/usr/lib/x86_64-linux-gnu/qemu/${name}`);
const firmware = [
  ...['bios-256k.bin', 'bios.bin'].map((name) => `/usr/share/seabios/${name}`),
  ...['kvmvapic.bin', 'linuxboot.bin', 'linuxboot_dma.bin', 'multiboot.bin', 'multiboot_dma.bin', 'pvh.bin'].map(
    (name) => `/usr/share/qemu/${name}`,
  ),
  '/usr/lib/ipxe/qemu/efi-virtio.rom',
  ...['OVMF_CODE.fd', 'OVMF_VARS.fd', 'OVMF_CODE_4M.fd', 'OVMF_VARS_4M.fd'].map((name) => `/usr/share/OVMF/${name}`),
];

/** Writes the archives of both images. Returns their files and Debian packages. Skips images whose programs are not installed. */
export function buildImages(target, { version, npmPackage, references }) {
  if (process.platform !== 'linux' || findProgram('dpkg-query') === undefined)
    return skip('the container images', 'building them requires Debian');
  rmSync(stage, { recursive: true, force: true });
  const runtime = runtimeLayer();
  const program = programLayer(npmPackage);
  const common = { version, layers: [runtime, program] };
  return [
    writeImage(target, {
      ...common,
      name: 'slipway',
      reference: references.manager,
      user: `${user}:${user}`,
      title: 'Slipway',
      description: 'Cluster API management plane, providers and operators',
    }),
    ...launcherImage(target, { ...common, reference: references.vmm }),
  ];
}

function skip(what, why) {
  process.stderr.write(`release: skipped ${what}: ${why}\n`);
  return [];
}

function launcherImage(target, { layers, ...image }) {
  const missing = launcherPrograms.filter((name) => findProgram(name) === undefined);
  if (process.arch !== 'x64') return skip('slipway-vmm', 'it is built for x64 only');
  if (missing.length > 0)
    return skip('slipway-vmm', `${missing.join(', ')} not found; install the Debian packages ${launcherPackages}`);
  const [runtime, program] = layers;
  // Launchers configure the network of their pod, which needs root.
  const texts = { title: 'Slipway VM launcher', description: 'Runs a virtual machine of the KVM provider in a pod' };
  return [
    writeImage(target, {
      ...image,
      ...texts,
      name: 'slipway-vmm',
      user: '0:0',
      layers: [runtime, qemuLayer(), program],
    }),
  ];
}

/** Node.js, its libraries, and the files that every Linux program expects. */
function runtimeLayer() {
  const folder = join(stage, 'runtime');
  for (const path of [
    'tmp',
    'etc',
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'usr/lib64',
    'usr/local/bin',
    'root',
    'run',
    'var/tmp',
    dataFolder,
  ])
    mkdirSync(join(folder, path), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name));
  const node = join(folder, 'usr/local/bin/node');
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const libraries = sharedLibraries(process.execPath);
  for (const path of libraries) copyHostFile(folder, path);
  const accounts = [
    `root:x:0:0:root:/root:/sbin/nologin`,
    `slipway:x:${user}:${user}:slipway:/${dataFolder}:/sbin/nologin`,
  ];
  const texts = {
    passwd: accounts,
    group: ['root:x:0:', `slipway:x:${user}:`],
    'nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns'],
    'os-release': ['ID=slipway', 'NAME="Slipway"', 'ID_LIKE=debian'],
  };
  for (const [name, lines] of Object.entries(texts)) writeFileSync(join(folder, 'etc', name), `${lines.join('\n')}\n`);
  return finished(folder, [process.execPath, ...libraries]);
}

/** The command, in the layout of `npm install --global`. Images have no `env`, so that its first line names Node.js directly. */
function programLayer(npmPackage) {
  const folder = join(stage, 'program');
  const own = `linux-${process.arch}.node`;
  const filter = (path) => !path.endsWith('.node') || basename(path) === own;
  cpSync(npmPackage, join(folder, packageFolder), { recursive: true, filter });
  for (const [link, name] of Object.entries(programLinks)) {
    const file = join(folder, packageFolder, `bin/${name}.mjs`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('#!/usr/bin/env node', '#!/usr/local/bin/node'));
    chmodSync(file, 0o755);
    mkdirSync(join(folder, dirname(link)), { recursive: true });
    symlinkSync(relative(dirname(link), join(packageFolder, `bin/${name}.mjs`)), join(folder, link));
  }
  return finished(folder, []);
}

function qemuLayer() {
  const folder = join(stage, 'qemu');
  const programs = launcherPrograms.map(findProgram);
  const modules = qemuModules.filter((path) => existsSync(path));
  const blobs = firmware.filter((path) => existsSync(path));
  const copied = copyPrograms(folder, [...programs, ...modules]);
  for (const path of blobs) copyHostFile(folder, path);
  return finished(folder, [...copied, ...blobs]);
}

/** Sets the permissions of a layer's files, which must not depend on the umask, and archives it. */
function finished(folder, hostFiles) {
  const packages = packagesOf(hostFiles);
  copyCopyrights(folder, packages);
  chmodTree(folder);
  return { ...layerOf(folder), packages };
}

function chmodTree(folder) {
  chmodSync(folder, /\/(?:var\/)?tmp$/.test(folder.slice(stage.length)) ? 0o1777 : 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) chmodTree(path);
    else if (entry.isFile()) chmodSync(path, /\/(?:s?bin|lib64)\/[^/]+$|\.so[.\d]*$|\/ld-/.test(path) ? 0o755 : 0o644);
  }
}

function writeImage(target, { name, version, reference, user: account, layers, title, description }) {
  const data = layerOf(join(stage, 'runtime'), { paths: [`./${dataFolder}`], owner: user });
  const labels = {
    'org.opencontainers.image.title': title,
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  };
  const config = {
    User: account,
    Env: [
      'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'NODE_ENV=production',
      `HOME=/${dataFolder}`,
      'XDG_DATA_HOME=/var/lib',
    ],
    Entrypoint: ['slipway'],
    Cmd: ['--help'],
    WorkingDir: `/${dataFolder}`,
    Labels: labels,
  };
  const file = join(target, `${name}-${version}-oci.tar`);
  writeOciArchive(file, { reference, layers: [...layers, data], config, annotations: labels });
  return { file, name, packages: layers.flatMap(({ packages }) => packages) };
}
