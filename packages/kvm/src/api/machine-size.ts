import { type Frozen, parseQuantity, quantityMilliValue, quantityValue } from '@slipway/kube';
import type { KVMMachine } from './kvm-machine.js';

type Spec = NonNullable<Frozen<KVMMachine>['spec']>;

/** Size of a machine with all defaults applied. */
export interface MachineSize {
  readonly cpus: number;
  /** CPU quota of all threads together, in thousandths of a CPU. Absent for a whole number of CPUs. */
  readonly cpuQuotaMilli?: number;
  readonly memoryMiB: number;
  readonly rootBytes: number;
  /** Size of the Docker disk. This and the next two sizes are 0 if the machine has no such disk. */
  readonly dockerBytes: number;
  readonly kubeletBytes: number;
  readonly etcdBytes: number;
  /** Memory that QEMU needs in addition to the memory of the guest. */
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

/** Returns the memory for QEMU itself and the page cache of its disks. With less, the OOM killer ends QEMU under load. */
function overheadOf(memoryMiB: number, cpus: number): number {
  return (Math.max(512, Math.ceil(memoryMiB * 0.06)) + 256 + 8 * cpus) * mebibyte;
}

export function bytesOf(amount: number | string): number {
  return Number(quantityValue(parseQuantity(String(amount))));
}
