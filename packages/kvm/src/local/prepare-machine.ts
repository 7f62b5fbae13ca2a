import { copyFile, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readIfPresent } from '@slipway/base';
import { kvmReasons, type MachineSize, machineSizeOf } from '../api/index.js';
import type { DesiredMachine } from '../machine/vm-service.js';
import { type AcceleratorChoice, chooseAccelerator, type PortForward, type QemuMachine } from '../qemu/index.js';
import { ignitionConfig, noCloudDisc } from '../seed/index.js';
import { checkRootSize, makeDisks } from './disks.js';
import { MachineProblem } from './errors.js';
import { type ImageStore, readImage, type StoredFile } from './images/index.js';
import { type Layout, type MachineFiles, removeAbandonedStaging, replaceFile, stagingFolder } from './layout.js';
import type { Perform } from './local-scope.js';
import { type MachineRecord, readRecord } from './machine-record.js';
import { etcdPathOf, planMachine, desiredForwards } from './plan-machine.js';
import { freePort, isPortFree, portTaken } from './ports.js';
import { findQemu, findUefi, type UefiFirmware } from './requirements.js';
import { hasVhost } from './taps.js';
import { requiredFiles } from './required-files.js';

const mebibyte = 1024 ** 2;
/**
 * Free space that a new machine requires. Disks grow as they are written to: with less space a machine would stop during its
 * first boot.
 */
const diskFreeBytesMin = 256 * mebibyte;

export interface PrepareOptions {
  readonly layout: Layout;
  readonly images: ImageStore;
  /** Candidate paths of UEFI firmware. Defaults to the paths that common distributions use. */
  readonly firmware?: readonly UefiFirmware[] | undefined;
  readonly onImage: () => void;
  readonly perform: Perform;
}

/** Result while the machine waits for a download. */
export interface Preparing {
  readonly message: string;
}

interface Images {
  readonly root: StoredFile | undefined;
  readonly kernel: QemuMachine['kernel'];
}

/**
 * Creates all files of a machine in a staging directory, which is renamed when it is complete. An interrupted process leaves an
 * unused staging directory behind; the next process starts over.
 */
export async function prepareMachine(
  desired: DesiredMachine,
  files: MachineFiles,
  options: PrepareOptions,
): Promise<MachineRecord | Preparing> {
  const { layout } = options;
  const spec = desired.kvmMachine.spec ?? {};
  const size = machineSizeOf(spec);
  const qemu = await findQemu();
  const uefi = spec.firmware === 'uefi' ? await findUefi(options.firmware) : undefined;
  const accelerator = await acceleratorFor(spec.accelerator, qemu.system, layout.stateDirectory);
  const images = await fetchImages(desired, options);
  if ('message' in images) return images;
  checkRootSize(size, images.root);
  await checkCapacity(layout.stateDirectory, size);
  const data = await desired.readBootstrapData();
  const record = planMachine(desired, files, {
    accelerator,
    forwards: await chooseForwards(desired),
    hasVhost: await hasVhost(),
    root: images.root?.path,
    kernel: images.kernel,
    firmwareCode: uefi?.code,
    format: data.format,
  });
  const parts = { record, size, root: images.root, variables: uefi?.variables, data };
  return options.perform({
    action: 'create disks',
    reason: kvmReasons.starting,
    message: `Creating the disks of virtual machine ${desired.uuid}`,
    run: () => createFiles(desired, files, parts),
  });
}

async function createFiles(desired: DesiredMachine, files: MachineFiles, parts: Parts): Promise<MachineRecord> {
  await removeAbandonedStaging(files);
  const staging = stagingFolder(files);
  try {
    await stage(desired, files, staging, parts);
    return (await isPutInPlace(staging, files)) ? parts.record : ((await readRecord(files)) ?? parts.record);
  } catch (error) {
    // Only this process deletes its staging directory. An error of the cleanup is ignored in favor of the first error.
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

interface Parts {
  readonly record: MachineRecord;
  readonly size: ReturnType<typeof machineSizeOf>;
  readonly root: StoredFile | undefined;
  readonly variables: string | undefined;
  readonly data: Awaited<ReturnType<DesiredMachine['readBootstrapData']>>;
}

async function stage(
  { kvmMachine, uuid }: DesiredMachine,
  files: MachineFiles,
  staging: string,
  { record, size, root, variables, data }: Parts,
): Promise<void> {
  const staged = (path: string): string => join(staging, relative(files.directory, path));
  await mkdir(staging, { recursive: true, mode: 0o700 });
  // The record is written first, because it marks the images as used.
  await replaceFile(staged(files.record), JSON.stringify(record));
  const disks = record.qemu.disks.filter(({ readOnly }) => readOnly !== true);
  await makeDisks(
    disks.map((disk) => ({ ...disk, path: staged(disk.path) })),
    size,
    root,
  );
  if (variables !== undefined) await copyFile(variables, staged(files.firmwareVariables));
  if (kvmMachine.spec?.etcd?.storage === 'HostPath') await makeEtcdFolder(etcdPathOf(kvmMachine), uuid);
  if (data.format === 'ignition') await replaceFile(staged(files.ignition), ignitionConfig(record.facts, data.value));
  else await replaceFile(staged(files.seed), noCloudDisc(record.facts, data.value));
}

/** Creates an empty directory for a new etcd member. Existing data is moved aside, not deleted. */
async function makeEtcdFolder(path: string, uuid: string): Promise<void> {
  const left = await readdir(path).catch(() => []);
  if (left.length > 0) await rename(path, `${path}.before-${uuid}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Renames the staging directory to its final path. Returns false if another process was first. In that case the machine
 * of the other process is used, and may already run.
 */
async function isPutInPlace(staging: string, files: MachineFiles): Promise<boolean> {
  try {
    await rename(staging, files.directory);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await rm(staging, { recursive: true, force: true });
    return false;
  }
}

async function acceleratorFor(
  requested: 'auto' | 'kvm' | 'tcg' | undefined,
  program: string,
  directory: string,
): Promise<AcceleratorChoice> {
  return requested === undefined || requested === 'auto'
    ? chooseAccelerator({ program, directory })
    : { accelerator: requested };
}

async function fetchImages(
  desired: DesiredMachine,
  { images, onImage, perform }: PrepareOptions,
): Promise<Images | Preparing> {
  const needs = await requiredFiles(desired.kvmMachine, images);
  const found = new Map<string, StoredFile>();
  for (const [role, file] of Object.entries(needs.fetched)) {
    const stored = await images.ensure(file, onImage, perform);
    if (!('path' in stored)) return { message: `${file.url} is being downloaded: ${stored.bytes} bytes so far` };
    found.set(role, stored);
  }
  const root = needs.disk === undefined ? found.get('root') : { path: needs.disk, ...(await readImage(needs.disk)) };
  const kernelPath = needs.kernel ?? found.get('kernel')?.path;
  if (!needs.bootsKernel || kernelPath === undefined) return { root, kernel: undefined };
  const initrd = needs.initrd ?? found.get('initrd')?.path;
  return { root, kernel: { path: kernelPath, initrd, commandLine: needs.commandLine } };
}

async function chooseForwards(desired: DesiredMachine): Promise<PortForward[]> {
  const chosen: PortForward[] = [];
  for (const { guestPort, hostPort } of desiredForwards(desired)) {
    if (hostPort !== undefined && !(await isPortFree(hostPort))) throw portTaken(hostPort);
    chosen.push({ guestPort, hostPort: hostPort ?? (await freePort()), isGiven: hostPort !== undefined });
  }
  return chosen;
}

/** Rejects a machine that does not fit on the host before it is started. */
async function checkCapacity(directory: string, size: MachineSize): Promise<void> {
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec((await readIfPresent('/proc/meminfo')) ?? '')?.[1];
  const availableMiB = Math.floor(Number(available ?? Number.MAX_SAFE_INTEGER) / 1024);
  if (availableMiB < size.memoryMiB)
    throw new MachineProblem(
      'VMProvisioned',
      'InsufficientCapacity',
      `the machine needs ${size.memoryMiB} MiB of memory, but only ${availableMiB} MiB are available on this host: stop other machines, or reduce spec.resources.memory`,
    );
  await mkdir(directory, { recursive: true });
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < diskFreeBytesMin)
    throw new MachineProblem(
      'DisksReady',
      'InsufficientCapacity',
      `${directory} has ${Math.floor((bavail * bsize) / mebibyte)} MiB left: free at least ${diskFreeBytesMin / mebibyte} MiB`,
    );
}
