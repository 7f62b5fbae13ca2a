import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, runCommand } from '@slipway/base';
import type { MachineSize } from '../api/index.js';
import type { QemuDisk } from '../qemu/index.js';
import { MachineProblem } from './errors.js';
import type { StoredFile } from './images/index.js';

const gibibyte = 1024 ** 3;

/** Returns the disks of a machine whose size is not 0. */
export function plannedDisks(directory: string, size: MachineSize): QemuDisk[] {
  const disk = (serial: string): Pick<QemuDisk, 'serial' | 'path' | 'format'> => ({
    serial,
    path: join(directory, `${serial}.qcow2`),
    format: 'qcow2',
  });
  return [
    { ...disk('rootfs'), bootIndex: 1 },
    ...(size.dockerBytes > 0 ? [disk('dockerfs')] : []),
    ...(size.kubeletBytes > 0 ? [disk('kubeletfs')] : []),
    // etcd needs durable writes, so its disk bypasses the host cache.
    ...(size.etcdBytes > 0 ? [{ ...disk('etcd'), durable: true }] : []),
  ];
}

/** Creates the disks. A disk gets its final file name only when it is complete. */
export async function makeDisks(
  disks: readonly QemuDisk[],
  size: MachineSize,
  base: StoredFile | undefined,
): Promise<void> {
  for (const { serial, path } of disks) {
    const fresh = `${path}.new`;
    await rm(fresh, { force: true });
    await create(argumentsFor(serial, fresh, size, base));
    await rename(fresh, path);
  }
}

function argumentsFor(serial: string, path: string, size: MachineSize, base: StoredFile | undefined): string[] {
  const bytes = {
    rootfs: size.rootBytes,
    dockerfs: size.dockerBytes,
    kubeletfs: size.kubeletBytes,
    etcd: size.etcdBytes,
  };
  const desired = bytes[serial as keyof typeof bytes];
  if (serial !== 'rootfs' || base === undefined)
    return ['-o', 'preallocation=metadata,lazy_refcounts=on', path, String(desired)];
  return ['-F', 'qcow2', '-b', base.path, path, String(desired)];
}

/** Rejects a root disk that is smaller than its image: qemu-img would silently create it and truncate the file system. */
export function checkRootSize(size: MachineSize, base: StoredFile | undefined): void {
  if (base === undefined || size.rootBytes >= base.virtualBytes) return;
  const needed = Math.ceil(base.virtualBytes / gibibyte);
  throw new MachineProblem(
    'DisksReady',
    'ImageTooLargeForDisk',
    `the image is ${base.virtualBytes} bytes, but spec.resources.disk is ${size.rootBytes}: set it to at least ${needed}Gi`,
  );
}

async function create(args: readonly string[]): Promise<void> {
  try {
    await runCommand('qemu-img', ['create', '-q', '-f', 'qcow2', ...args]);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const reason = /No space left/.test(error.output) ? 'InsufficientCapacity' : 'StartFailed';
    throw new MachineProblem('DisksReady', reason, `failed to create a disk: ${error.output}`);
  }
}
