import { EventEmitter, once } from 'node:events';
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from '@slipway/base';
import { MachineProblem } from '../local/errors.js';
import { ImageStore } from '../local/images/index.js';
import type { MachineFiles } from '../local/layout.js';
import { performDirectly } from '../local/local-scope.js';
import { readRecord } from '../local/machine-record.js';
import { prepareMachine } from '../local/prepare-machine.js';
import type { VmDocument } from '../pod/vm-document.js';
import { filesOf, type LauncherFolders, readDocument } from './launcher-folders.js';
import { type PodNetwork, readPodNetwork } from './pod-network.js';
import { hasEtcdDisk, desiredMachineOf } from './desired-machine.js';

/**
 * Error that ends the launcher. The message starts with the reason, which the controller parses from the termination message of
 * the pod.
 */
export class LaunchError extends Error {
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(`${reason}: ${message}`);
    this.name = 'LaunchError';
  }
}

/**
 * Fetches the image, creates the disks and writes the seed. Existing disks are kept: their machine has already joined the
 * cluster.
 */
export async function prepareLaunch(folders: LauncherFolders): Promise<void> {
  const document = await readDocument(folders);
  const files = filesOf(folders, document);
  const network = await podNetwork(document, folders);
  if ((await readRecord(files)) !== undefined) return;
  const images = new ImageStore(join(folders.disks, 'images'));
  const options = {
    layout: { stateDirectory: folders.disks, runDirectory: folders.run },
    images,
    perform: performDirectly,
  };
  try {
    for (;;) {
      const reported = new EventEmitter();
      const hears = once(reported, 'image');
      const desired = desiredMachineOf(document, folders, network);
      const prepared = await prepareMachine(desired, files, { ...options, onImage: () => reported.emit('image') });
      if (!('message' in prepared)) break;
      await hears;
    }
  } catch (error) {
    if (error instanceof MachineProblem) throw new LaunchError(error.reason, error.message);
    throw error;
  }
  await placeEtcd(document, files, folders);
}

/** Moves the etcd disk to the requested storage, which outlives the other disks, and links to it. */
async function placeEtcd(
  { spec, isControlPlane }: VmDocument,
  files: MachineFiles,
  { etcd }: LauncherFolders,
): Promise<void> {
  if (!isControlPlane || !hasEtcdDisk(spec) || spec.etcd?.storage === 'Disk') return;
  const name = 'etcd.qcow2';
  await mkdir(etcd, { recursive: true });
  await copyFile(join(files.directory, name), join(etcd, name));
  await rm(join(files.directory, name));
  await symlink(join(etcd, name), join(files.directory, name));
}

/**
 * Returns the network of the pod, or undefined with mode user. It is cached in a file for a restarted launcher: it can no longer
 * be read from the pod once the guest has the address.
 */
export async function podNetwork(document: VmDocument, { run }: LauncherFolders): Promise<PodNetwork | undefined> {
  if (document.cluster.network?.mode === 'user') return undefined;
  const path = join(run, 'network.json');
  const cached = await readIfPresent(path);
  if (cached !== undefined) return JSON.parse(cached) as PodNetwork;
  const network = await readPodNetwork();
  await mkdir(run, { recursive: true });
  await writeFile(path, JSON.stringify(network));
  return network;
}
