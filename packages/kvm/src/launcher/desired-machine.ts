import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from '@slipway/base';
import type { BootstrapData, DesiredMachine } from '../machine/vm-service.js';
import type { VmDocument } from '../pod/vm-document.js';
import type { LauncherFolders } from './launcher-folders.js';
import type { PodNetwork } from './pod-network.js';

const namespace = 'pod';

/** Converts the document of a pod's virtual machine to the input of the local backend, which the launcher uses to run QEMU. */
export function desiredMachineOf(
  document: VmDocument,
  folders: LauncherFolders,
  network: PodNetwork | undefined,
): DesiredMachine {
  const { uuid, name, clusterName, isControlPlane, cluster } = document;
  const metadata = { name, namespace };
  const reference = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KVMMachine', name };
  return {
    uuid,
    isControlPlane,
    wasProvisioned: false,
    readBootstrapData: () => readBootstrap(folders),
    kvmMachine: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'KVMMachine',
      metadata,
      spec: specInPod(document, folders, network),
    },
    kvmCluster: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'KVMCluster',
      metadata: { name: clusterName, namespace },
      spec: {
        ...cluster,
        network: {
          ...cluster.network,
          ...(network === undefined ? { mode: 'user' } : { mode: 'bridge', bridge: network.bridge, mtu: network.mtu }),
        },
      },
    },
    machine: {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata,
      spec: {
        clusterName,
        bootstrap: {},
        infrastructureRef: reference,
        ...(document.failureDomain !== undefined && { failureDomain: document.failureDomain }),
      },
    },
    cluster: {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: clusterName, namespace },
      spec: {},
    },
  };
}

/** Replaces paths on the node with their mount paths in the container. */
function specInPod(
  { spec, isControlPlane }: VmDocument,
  { volumes }: LauncherFolders,
  network: PodNetwork | undefined,
): NonNullable<DesiredMachine['kvmMachine']['spec']> {
  const { hostVolumes, etcd, hostName: _hostName, ...rest } = spec;
  return {
    ...rest,
    ...(hostVolumes && {
      hostVolumes: hostVolumes.map((each) => ({ ...each, hostPath: join(volumes, each.mountTag) })),
    }),
    // etcd is always on a disk, because it needs durable writes, which a 9p share does not guarantee.
    ...(isControlPlane && hasEtcdDisk(spec) && { etcd: { ...etcd, storage: 'Disk' } }),
    ...(network !== undefined && {
      network: {
        ...rest.network,
        macAddress: network.macAddress,
        ipAddresses: network.ipAddresses,
        ...(network.gateway !== undefined && { gateway: network.gateway }),
      },
    }),
  };
}

export function hasEtcdDisk({ etcd }: VmDocument['spec']): boolean {
  return etcd?.storage !== undefined && etcd.storage !== 'none';
}

async function readBootstrap({ bootstrap }: LauncherFolders): Promise<BootstrapData> {
  const format = (await readIfPresent(join(bootstrap, 'format')))?.trim();
  return {
    format: format === 'ignition' ? 'ignition' : 'cloud-config',
    value: await readFile(join(bootstrap, 'value')),
    secretName: 'bootstrap',
  };
}
