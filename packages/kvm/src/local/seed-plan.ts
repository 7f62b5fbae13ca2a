import { macAddressOf, networkModeOf, userNetwork } from '../machine/network-plan.js';
import type { DesiredMachine } from '../machine/vm-service.js';
import type { QemuDisk } from '../qemu/index.js';
import type { SeedDisk, SeedFacts, SeedInterface, SeedShare } from '../seed/index.js';

const mountPaths: Readonly<Record<string, string>> = { kubeletfs: '/var/lib/kubelet', etcd: '/var/lib/etcd' };
const dockerPathDefault = '/var/lib/containerd';

/** Returns the data of the seed, which cloud-init or Ignition reads at the first boot. */
export function seedFacts(desired: DesiredMachine, disks: readonly QemuDisk[]): SeedFacts {
  const { kvmMachine, kvmCluster, machine } = desired;
  const spec = kvmMachine.spec ?? {};
  const failureDomain = spec.failureDomain ?? machine.spec.failureDomain;
  const dockerNetworkCidr = kvmCluster.spec?.dockerNetwork?.cidr;
  const iscsiInitiatorName = spec.iscsi?.initiatorName;
  return {
    uuid: desired.uuid,
    hostName: kvmMachine.metadata.name ?? '',
    ...(failureDomain !== undefined && { failureDomain }),
    interfaces: seedInterfaces(desired),
    ntpServers: spec.ntpServers ?? kvmCluster.spec?.ntpServers ?? [],
    disks: disks.filter(({ serial }) => serial !== 'rootfs').map((disk) => mountedDisk(disk, desired)),
    shares: seedShares(desired),
    ...(iscsiInitiatorName !== undefined && { iscsiInitiatorName }),
    ...(dockerNetworkCidr !== undefined && { dockerNetworkCidr }),
    hosts: endpointHosts(desired),
  };
}

function mountedDisk({ serial }: QemuDisk, { kvmMachine }: DesiredMachine): SeedDisk {
  const docker = kvmMachine.spec?.resources?.dockerVolumePath ?? dockerPathDefault;
  return { serial, mountPath: mountPaths[serial] ?? docker };
}

function seedShares({ kvmMachine }: DesiredMachine): SeedShare[] {
  const { hostVolumes = [], etcd } = kvmMachine.spec ?? {};
  const volumes = hostVolumes.map(({ mountTag, mountPath = `/mnt/${mountTag}`, readOnly = false }) => ({
    mountTag,
    mountPath,
    readOnly,
  }));
  if (etcd?.storage !== 'HostPath') return volumes;
  return [...volumes, { mountTag: 'etcdshare', mountPath: '/var/lib/etcd', readOnly: false }];
}

function seedInterfaces(desired: DesiredMachine): SeedInterface[] {
  const { uuid, kvmMachine, kvmCluster } = desired;
  const shared = kvmCluster.spec?.network ?? {};
  const { macAddress, ipAddresses: addresses = [], gateway = shared.gateway } = kvmMachine.spec?.network ?? {};
  const { mtu } = shared;
  const mode = networkModeOf(kvmCluster, 'local');
  const own = macAddress ?? macAddressOf(uuid, mode === 'segment' ? 1 : 0);
  const names = namesOf(desired);
  const size = mtu === undefined ? {} : { mtu };
  const route = gateway === undefined || addresses.length === 0 ? {} : { gateway };
  switch (mode) {
    case 'bridge':
      return [{ macAddress: own, addresses, ...route, ...names, ...size }];
    case 'user':
      return [{ macAddress: own, addresses: [], ...names, ...size }];
    default:
      // The first interface connects to networks outside the host; the second is a closed network without gateway and DNS.
      return [
        { macAddress: macAddressOf(uuid, 0), addresses: [], ...names },
        { macAddress: own, addresses, nameservers: [], searchDomains: [], mtu: mtu ?? 1500 },
      ];
  }
}

function namesOf({ kvmMachine, kvmCluster }: DesiredMachine): Pick<SeedInterface, 'nameservers' | 'searchDomains'> {
  const { network, dnsServers } = kvmMachine.spec ?? {};
  const shared = kvmCluster.spec?.network;
  return {
    nameservers: network?.nameservers ?? dnsServers ?? shared?.dnsServers ?? [],
    searchDomains: shared?.searchDomains ?? [],
  };
}

/** Returns an /etc/hosts entry for the endpoint: guests behind QEMU's NAT reach this host at one fixed address. */
function endpointHosts({ kvmCluster }: DesiredMachine): SeedFacts['hosts'] {
  const { controlPlaneEndpoint, controlPlaneExposure } = kvmCluster.spec ?? {};
  const host = controlPlaneEndpoint?.host ?? '';
  const isOurs = (controlPlaneExposure?.type ?? 'HAProxy') === 'HAProxy';
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  if (networkModeOf(kvmCluster, 'local') === 'bridge' || !isOurs || !isName) return [];
  return [{ address: userNetwork.host, name: host }];
}
