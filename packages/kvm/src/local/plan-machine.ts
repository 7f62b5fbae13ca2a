import { join } from 'node:path';
import { type MachineSize, machineSizeOf } from '../api/index.js';
import { addressesOf, macAddressOf, networkModeOf, segmentOf, userNetwork } from '../machine/network-plan.js';
import type { WantedMachine } from '../machine/vm-service.js';
import type { AcceleratorChoice, PortForward, QemuDisk, QemuInterface, QemuMachine } from '../qemu/index.js';
import type { SeedDisk, SeedFacts, SeedInterface } from '../seed/index.js';
import { plannedDisks } from './disks.js';
import type { MachineFiles } from './layout.js';
import type { MachineRecord } from './machine-record.js';
import { tapNameOf } from './taps.js';

/** What the host gave: decided once, and then part of the machine. */
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

export function apiServerPortOf({ cluster }: Pick<WantedMachine, 'cluster'>): number {
  return cluster.spec.clusterNetwork?.apiServerPort ?? apiServerPortDefault;
}

/** Ports of the guest that this host is to lead to. */
export function wantedForwards(wanted: WantedMachine): { guestPort: number; hostPort?: number }[] {
  const mode = networkModeOf(wanted.kvmCluster, 'local');
  if (mode !== 'user' && mode !== 'segment') return [];
  const asked = wanted.kvmMachine.spec?.network?.portForwards ?? [];
  const apiServer = apiServerPortOf(wanted);
  const needsApiServer = wanted.isControlPlane && !asked.some(({ guestPort }) => guestPort === apiServer);
  return [...asked, ...(needsApiServer ? [{ guestPort: apiServer }] : [])];
}

/** Everything about a machine, from what is wanted and what the host gave. */
export function planMachine(wanted: WantedMachine, files: MachineFiles, host: HostChoices): MachineRecord {
  const { kvmMachine } = wanted;
  const { namespace = '', name = '' } = kvmMachine.metadata;
  const spec = kvmMachine.spec ?? {};
  const size = machineSizeOf(spec);
  const disks = plannedDisks(files.directory, size);
  const { accelerator, why } = host.accelerator;
  const isAsked = spec.accelerator !== undefined && spec.accelerator !== 'auto';
  const bridge = wanted.kvmCluster.spec?.network?.bridge;
  return {
    key: { namespace, name },
    format: host.format,
    images: [host.root, host.kernel?.path, host.kernel?.initrd].filter((path) => path !== undefined),
    memoryLimitBytes: size.memoryMiB * 1024 ** 2 + size.overheadBytes,
    ...(size.cpuQuotaMilli !== undefined && { cpuQuotaMilli: size.cpuQuotaMilli }),
    ...(accelerator === 'tcg' && !isAsked && { slowBecause: why ?? 'KVM cannot be used' }),
    ...(bridge !== undefined && { bridge }),
    facts: seedFacts(wanted, size, disks),
    qemu: {
      uuid: wanted.uuid,
      name,
      cpus: size.cpus,
      memoryMiB: size.memoryMiB,
      accelerator,
      machineType: spec.machineType ?? 'q35',
      cpuModel: spec.cpuModel,
      firmware:
        host.firmwareCode === undefined ? undefined : { code: host.firmwareCode, variables: files.firmwareVariables },
      kernel: host.kernel,
      disks: host.format === 'ignition' ? disks : [...disks, seedDisk(files)],
      interfaces: interfaces(wanted, host),
      shares: shares(wanted),
      firmwareFiles: host.format === 'ignition' ? [{ name: ignitionName(wanted), path: files.ignition }] : [],
      files: {
        pid: files.pid,
        control: files.control,
        secondControl: files.secondControl,
        agent: files.agent,
        console: files.console,
        log: files.log,
      },
    },
  };
}

function seedDisk({ seed }: MachineFiles): QemuDisk {
  return { serial: 'cidata', path: seed, format: 'raw', readOnly: true };
}

/** Fedora's and Flatcar's read the same from different places. */
function ignitionName({ kvmMachine }: WantedMachine): string {
  const { image } = kvmMachine.spec ?? {};
  const isFedora = /fedora|coreos\.org/.test(`${image?.url ?? ''} ${image?.name ?? ''}`);
  return isFedora ? 'opt/com.coreos/config' : 'opt/org.flatcar-linux/config';
}

/** The interface that other machines of the cluster are reached by has the address of the spec. */
function interfaces(wanted: WantedMachine, { forwards, hasVhost }: HostChoices): QemuInterface[] {
  const { uuid, kvmMachine, kvmCluster } = wanted;
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

function shares({ kvmMachine }: WantedMachine): QemuMachine['shares'] {
  const { hostVolumes = [], etcd } = kvmMachine.spec ?? {};
  const volumes = hostVolumes.map(({ mountTag, hostPath, readOnly = false }) => ({
    mountTag,
    path: hostPath,
    readOnly,
  }));
  if (etcd?.storage !== 'HostPath') return volumes;
  return [...volumes, { mountTag: 'etcdshare', path: etcdPathOf(kvmMachine), readOnly: false }];
}

/** Each machine has a folder of its own: a member of etcd does not start from what another left. */
export function etcdPathOf(kvmMachine: WantedMachine['kvmMachine']): string {
  const { namespace = '', name = '' } = kvmMachine.metadata;
  return join(kvmMachine.spec?.etcd?.hostPath ?? '/var/lib/slipway/etcd', namespace, name);
}

const mountPaths: Readonly<Record<string, string>> = { kubeletfs: '/var/lib/kubelet', etcd: '/var/lib/etcd' };

function seedFacts(wanted: WantedMachine, size: MachineSize, disks: readonly QemuDisk[]): SeedFacts {
  const { kvmMachine, kvmCluster, machine } = wanted;
  const spec = kvmMachine.spec ?? {};
  const docker = spec.resources?.dockerVolumePath ?? '/var/lib/containerd';
  const failureDomain = spec.failureDomain ?? machine.spec.failureDomain;
  const dockerCidr = kvmCluster.spec?.dockerNetwork?.cidr;
  const mounted = disks
    .filter(({ serial }) => serial !== 'rootfs')
    .map(({ serial }): SeedDisk => ({ serial, mountPath: mountPaths[serial] ?? docker }));
  const { initiatorName } = spec.iscsi ?? {};
  return {
    uuid: wanted.uuid,
    hostName: kvmMachine.metadata.name ?? '',
    ...(failureDomain !== undefined && { failureDomain }),
    interfaces: seedInterfaces(wanted),
    ntpServers: spec.ntpServers ?? kvmCluster.spec?.ntpServers ?? [],
    disks: size.dockerBytes + size.kubeletBytes + size.etcdBytes > 0 ? mounted : [],
    shares: [
      ...(spec.hostVolumes ?? []).map(({ mountTag, mountPath, readOnly = false }) => ({
        mountTag,
        mountPath: mountPath ?? `/mnt/${mountTag}`,
        readOnly,
      })),
      ...(spec.etcd?.storage === 'HostPath'
        ? [{ mountTag: 'etcdshare', mountPath: '/var/lib/etcd', readOnly: false }]
        : []),
    ],
    ...(initiatorName !== undefined && { iscsiInitiatorName: initiatorName }),
    ...(dockerCidr !== undefined && { dockerNetworkCidr: dockerCidr }),
    hosts: endpointHosts(wanted),
  };
}

function seedInterfaces({ uuid, kvmMachine, kvmCluster }: WantedMachine): SeedInterface[] {
  const { network, dnsServers } = kvmMachine.spec ?? {};
  const shared = kvmCluster.spec?.network ?? {};
  const names = {
    nameservers: network?.nameservers ?? dnsServers ?? shared.dnsServers ?? [],
    searchDomains: shared.searchDomains ?? [],
  };
  const mtu = shared.mtu === undefined ? {} : { mtu: shared.mtu };
  const own = network?.macAddress;
  const addresses = network?.ipAddresses ?? [];
  const gateway = network?.gateway ?? shared.gateway;
  switch (networkModeOf(kvmCluster, 'local')) {
    case 'bridge':
      return [
        {
          macAddress: own ?? macAddressOf(uuid, 0),
          addresses,
          ...(gateway !== undefined && addresses.length > 0 && { gateway }),
          ...names,
          ...mtu,
        },
      ];
    case 'user':
      return [{ macAddress: own ?? macAddressOf(uuid, 0), addresses: [], ...names, ...mtu }];
    default:
      // The first leads out of the host; the second is closed, so that it has no gateway and no names.
      return [
        { macAddress: macAddressOf(uuid, 0), addresses: [], ...names },
        {
          macAddress: own ?? macAddressOf(uuid, 1),
          addresses,
          nameservers: [],
          searchDomains: [],
          mtu: shared.mtu ?? 1500,
        },
      ];
  }
}

/** Machines behind QEMU's router find this host, and what listens on its loopback, at one address: for those with a name. */
function endpointHosts({ kvmCluster }: WantedMachine): SeedFacts['hosts'] {
  const { controlPlaneEndpoint, controlPlaneExposure } = kvmCluster.spec ?? {};
  const mode = networkModeOf(kvmCluster, 'local');
  const host = controlPlaneEndpoint?.host ?? '';
  const isOurs = (controlPlaneExposure?.type ?? 'HAProxy') === 'HAProxy';
  if (mode === 'bridge' || !isOurs || !/[a-z]/i.test(host) || host.includes(':')) return [];
  return [{ address: userNetwork.host, name: host }];
}

/** Where the machine itself is found by others of its cluster. */
export function internalAddresses({ kvmMachine, kvmCluster }: WantedMachine): string[] {
  const given = addressesOf(kvmMachine);
  return given.length === 0 && networkModeOf(kvmCluster, 'local') === 'user' ? [userNetwork.address] : given;
}
