import { join } from 'node:path';
import { type MachineSize, machineSizeOf } from '../api/index.js';
import { addressesOf, macAddressOf, networkModeOf, segmentOf, userNetwork } from '../machine/network-plan.js';
import type { DesiredMachine } from '../machine/vm-service.js';
import type { AcceleratorChoice, PortForward, QemuDisk, QemuInterface, QemuMachine } from '../qemu/index.js';
import { plannedDisks } from './disks.js';
import type { MachineFiles } from './layout.js';
import type { MachineRecord } from './machine-record.js';
import { seedFacts } from './seed-plan.js';
import { tapNameOf } from './taps.js';

/** Values that depend on the host, such as ports and the accelerator. They are chosen once and then recorded. */
export interface HostChoices {
  readonly accelerator: AcceleratorChoice;
  readonly forwards: readonly PortForward[];
  readonly hasVhost: boolean;
  readonly root: string | undefined;
  readonly kernel: QemuMachine['kernel'];
  readonly firmwareCode: string | undefined;
  readonly format: MachineRecord['format'];
}

const apiServerPortDefault = 6443;

export function apiServerPortOf({ cluster }: Pick<DesiredMachine, 'cluster'>): number {
  return cluster.spec.clusterNetwork?.apiServerPort ?? apiServerPortDefault;
}

/** Returns the guest ports to forward from this host. */
export function desiredForwards(desired: DesiredMachine): { guestPort: number; hostPort?: number }[] {
  const mode = networkModeOf(desired.kvmCluster, 'local');
  if (mode !== 'user' && mode !== 'segment') return [];
  const requested = desired.kvmMachine.spec?.network?.portForwards ?? [];
  const apiServer = apiServerPortOf(desired);
  const needsApiServer = desired.isControlPlane && !requested.some(({ guestPort }) => guestPort === apiServer);
  return [...requested, ...(needsApiServer ? [{ guestPort: apiServer }] : [])];
}

/** Returns the complete record of a machine, from its desired state and the choices of the host. */
export function planMachine(desired: DesiredMachine, files: MachineFiles, host: HostChoices): MachineRecord {
  const { kvmMachine, kvmCluster } = desired;
  const { namespace = '', name = '' } = kvmMachine.metadata;
  const size = machineSizeOf(kvmMachine.spec);
  const disks = plannedDisks(files.directory, size);
  const slowBecause = slownessOf(desired, host);
  const bridge = kvmCluster.spec?.network?.bridge;
  return {
    key: { namespace, name },
    format: host.format,
    images: [host.root, host.kernel?.path, host.kernel?.initrd].filter((path) => path !== undefined),
    memoryLimitBytes: size.memoryMiB * 1024 ** 2 + size.overheadBytes,
    ...(size.cpuQuotaMilli !== undefined && { cpuQuotaMilli: size.cpuQuotaMilli }),
    ...(slowBecause !== undefined && { slowBecause }),
    ...(bridge !== undefined && { bridge }),
    facts: seedFacts(desired, disks),
    qemu: qemuMachine(desired, files, host, { size, disks }),
  };
}

/** Returns why the machine does not use KVM. Undefined if it does, or if the user requested kvm or tcg. */
function slownessOf(
  { kvmMachine }: DesiredMachine,
  { accelerator: { accelerator, why } }: HostChoices,
): string | undefined {
  const requested = kvmMachine.spec?.accelerator ?? 'auto';
  return accelerator === 'tcg' && requested === 'auto' ? (why ?? 'KVM is not available') : undefined;
}

function qemuMachine(
  desired: DesiredMachine,
  files: MachineFiles,
  host: HostChoices,
  { size, disks }: { readonly size: MachineSize; readonly disks: readonly QemuDisk[] },
): QemuMachine {
  const { machineType = 'q35', cpuModel } = desired.kvmMachine.spec ?? {};
  const { pid, control, secondControl, agent, console, log, firmwareVariables: variables } = files;
  const isIgnition = host.format === 'ignition';
  return {
    uuid: desired.uuid,
    name: desired.kvmMachine.metadata.name ?? '',
    cpus: size.cpus,
    memoryMiB: size.memoryMiB,
    accelerator: host.accelerator.accelerator,
    machineType,
    cpuModel,
    firmware: host.firmwareCode === undefined ? undefined : { code: host.firmwareCode, variables },
    kernel: host.kernel,
    disks: isIgnition ? disks : [...disks, seedDisk(files)],
    interfaces: interfaces(desired, host),
    shares: shares(desired),
    firmwareFiles: isIgnition ? [{ name: ignitionName(desired), path: files.ignition }] : [],
    files: { pid, control, secondControl, agent, console, log },
  };
}

function seedDisk({ seed }: MachineFiles): QemuDisk {
  return { serial: 'cidata', path: seed, format: 'raw', readOnly: true };
}

/** Returns the name of the firmware file with the Ignition configuration, which differs between Fedora CoreOS and Flatcar. */
function ignitionName({ kvmMachine }: DesiredMachine): string {
  const { image } = kvmMachine.spec ?? {};
  const isFedora = /fedora|coreos\.org/.test(`${image?.url ?? ''} ${image?.name ?? ''}`);
  return isFedora ? 'opt/com.coreos/config' : 'opt/org.flatcar-linux/config';
}

/** Returns the network interfaces. The one that connects the machines of the cluster has the MAC address of the spec. */
function interfaces(desired: DesiredMachine, { forwards, hasVhost }: HostChoices): QemuInterface[] {
  const { uuid, kvmMachine, kvmCluster } = desired;
  const hostName = kvmMachine.metadata.name ?? '';
  const own = kvmMachine.spec?.network?.macAddress;
  const user = { type: 'user', hostName, forwards } as const;
  switch (networkModeOf(kvmCluster, 'local')) {
    case 'bridge':
      return [{ type: 'tap', name: tapNameOf(uuid), hasVhost, macAddress: own ?? macAddressOf(uuid, 0) }];
    case 'user':
      return [{ ...user, macAddress: own ?? macAddressOf(uuid, 0) }];
    default:
      return [
        { ...user, macAddress: macAddressOf(uuid, 0) },
        { type: 'multicast', ...segmentOf(kvmCluster), macAddress: own ?? macAddressOf(uuid, 1) },
      ];
  }
}

function shares({ kvmMachine }: DesiredMachine): QemuMachine['shares'] {
  const { hostVolumes = [], etcd } = kvmMachine.spec ?? {};
  const volumes = hostVolumes.map(({ mountTag, hostPath, readOnly = false }) => ({
    mountTag,
    path: hostPath,
    readOnly,
  }));
  if (etcd?.storage !== 'HostPath') return volumes;
  return [...volumes, { mountTag: 'etcdshare', path: etcdPathOf(kvmMachine), readOnly: false }];
}

/**
 * Returns the etcd directory of a machine. Machines do not share one: an etcd member does not start with the data of another
 * member.
 */
export function etcdPathOf(kvmMachine: DesiredMachine['kvmMachine']): string {
  const { namespace = '', name = '' } = kvmMachine.metadata;
  return join(kvmMachine.spec?.etcd?.hostPath ?? '/var/lib/slipway/etcd', namespace, name);
}

/** Returns the addresses at which other machines of the cluster reach this one. */
export function internalAddresses({ kvmMachine, kvmCluster }: DesiredMachine): string[] {
  const given = addressesOf(kvmMachine);
  return given.length === 0 && networkModeOf(kvmCluster, 'local') === 'user' ? [userNetwork.address] : given;
}
