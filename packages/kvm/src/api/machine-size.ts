import { type Frozen, parseQuantity, quantityMilliValue, quantityValue } from '@slipway/kube';
import type { KVMMachine } from './kvm-machine.js';

type Spec = NonNullable<Frozen<KVMMachine>['spec']>;

/** How large a machine is, with everything decided. */
export interface MachineSize {
  readonly cpus: number;
  /** Thousandths of a CPU that all threads together may use; absent when a whole number of CPUs was asked for. */
  readonly cpuQuotaMilli?: number;
  readonly memoryMiB: number;
  readonly rootBytes: number;
  /** 0: no such disk. */
  readonly dockerBytes: number;
  readonly kubeletBytes: number;
  readonly etcdBytes: number;
  /** What QEMU needs beside the memory of the guest. */
  readonly overheadBytes: number;
}

export const sizeDefaults = { cpu: '2', memory: '4Gi', disk: '20Gi', etcd: '15Gi' } as const;

const mebibyte = 1024 ** 2;

export function machineSizeOf(spec: Spec | undefined): MachineSize {
  const { cpu, memory, disk, dockerVolumeSize, kubeletVolumeSize, overhead } = spec?.resources ?? {};
  const milli = Number(quantityMilliValue(parseQuantity(String(cpu ?? sizeDefaults.cpu))));
  const cpus = Math.max(1, Math.ceil(milli / 1000));
  const memoryMiB = Math.ceil(bytesOf(memory ?? sizeDefaults.memory) / mebibyte);
  return {
    cpus,
    ...(milli % 1000 !== 0 && { cpuQuotaMilli: milli }),
    memoryMiB,
    rootBytes: bytesOf(disk ?? sizeDefaults.disk),
    dockerBytes: bytesOf(dockerVolumeSize ?? 0),
    kubeletBytes: bytesOf(kubeletVolumeSize ?? 0),
    etcdBytes: etcdBytesOf(spec?.etcd),
    overheadBytes: overhead?.memory === undefined ? overheadOf(memoryMiB, cpus) : bytesOf(overhead.memory),
  };
}

function etcdBytesOf(etcd: Spec['etcd']): number {
  return etcd?.storage === 'Disk' ? bytesOf(etcd.size ?? sizeDefaults.etcd) : 0;
}

/** QEMU's own memory, and the page cache of its disks, which counts too: with less, the kernel kills it under load. */
function overheadOf(memoryMiB: number, cpus: number): number {
  return (Math.max(512, Math.ceil(memoryMiB * 0.06)) + 256 + 8 * cpus) * mebibyte;
}

export function bytesOf(amount: number | string): number {
  return Number(quantityValue(parseQuantity(String(amount))));
}
