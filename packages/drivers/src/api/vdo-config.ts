import { conditions } from '@slipway/cluster-api/schemas';
import {
  atomicList,
  boolean,
  defineKind,
  enumeration,
  type Infer,
  int32,
  int64,
  map,
  mapList,
  object,
  type ObjectOf,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { ageColumn, readyColumn } from './columns.js';
import { group } from './names.js';

const versionPattern = '^v?[0-9]+\\.[0-9]+\\.[0-9]+([-+].*)?$';
const names = (maxItems: number, description: string) =>
  atomicList(string({ minLength: 1, maxLength: 253 }), { maxItems, description });
const pin = optional(
  string({
    pattern: versionPattern,
    maxLength: 64,
    description:
      'Version of the driver. If set, exactly this version is installed and not upgraded automatically; it must be in the compatibility matrix. If not set, the operator chooses a compatible version.',
  }),
);

const topology = object(
  {
    zone: string({ description: 'Name of the tag category whose tags are zones.' }),
    region: string({ description: 'Name of the tag category whose tags are regions.' }),
  },
  { description: 'vSphere tag categories that the zone and region labels of nodes come from.' },
);

const nodeAddresses = object(
  {
    internalNetworkSubnetCidr: optional(
      string({ description: 'Network in CIDR notation that the InternalIP of a node must be in.' }),
    ),
    externalNetworkSubnetCidr: optional(
      string({ description: 'Network in CIDR notation that the ExternalIP of a node must be in.' }),
    ),
    internalVmNetworkName: optional(
      string({ description: 'Name of the vSphere network that the InternalIP of a node comes from.' }),
    ),
    externalVmNetworkName: optional(
      string({ description: 'Name of the vSphere network that the ExternalIP of a node comes from.' }),
    ),
    excludeInternalNetworkSubnetCidr: optional(
      string({ description: 'Network in CIDR notation that the InternalIP of a node must not be in.' }),
    ),
    excludeExternalNetworkSubnetCidr: optional(
      string({ description: 'Network in CIDR notation that the ExternalIP of a node must not be in.' }),
    ),
  },
  { description: 'How the CPI chooses the addresses of nodes with several networks.' },
);

const cloudProvider = object(
  {
    vsphereCloudConfigs: optional(
      names(
        64,
        'Names of the VsphereCloudConfigs that the CPI uses, in the namespace of this object. Defaults to all of them.',
      ),
    ),
    version: pin,
    topology: optional(topology),
    nodes: optional(nodeAddresses),
    ipFamily: optional(
      atomicList(enumeration(['ipv4', 'ipv6']), {
        maxItems: 2,
        description: 'IP families of node addresses in order of preference. Defaults to ipv4.',
      }),
    ),
  },
  {
    description:
      'The vSphere cloud provider (CPI), which initializes nodes. If not set, the operator does not manage a cloud provider.',
  },
);

const fileVolumes = object(
  {
    vsanDataStoreUrl: optional(
      atomicList(string(), {
        maxItems: 64,
        description:
          'URLs of the vSAN datastores for file volumes, such as ds:///vmfs/volumes/vsan:1234/. Ignored by CSI 3.3 and later.',
      }),
    ),
    vsanFileShareClusters: optional(names(64, 'Names of the vSAN clusters whose file service provides file volumes.')),
    netPermissions: optional(
      atomicList(
        object({
          ips: string({
            minLength: 1,
            maxLength: 253,
            description: 'Clients: "*" for all, an IP address, a range of addresses, or a network in CIDR notation.',
          }),
          permissions: optional(
            enumeration(['READ_ONLY', 'READ_WRITE', 'NO_ACCESS'], {
              description: 'What the clients may do. Defaults to READ_WRITE.',
            }),
          ),
          rootSquash: optional(
            boolean({ description: 'Deny access to the root user of the clients. Defaults to false.' }),
          ),
        }),
        { maxItems: 64, description: 'Which clients may access file volumes.' },
      ),
    ),
  },
  { description: 'Settings for file volumes (ReadWriteMany), which require the vSAN file service.' },
);

const snapshotLimit = (description: string) => optional(int32({ minimum: 1, maximum: 32, description }));

const snapshots = object(
  {
    globalMaxSnapshotsPerBlockVolume: snapshotLimit(
      'Maximum number of snapshots of a block volume. If not set, the driver decides.',
    ),
    granularVsan: snapshotLimit('Maximum number of snapshots of a block volume on vSAN. Overrides the global maximum.'),
    granularVvol: snapshotLimit(
      'Maximum number of snapshots of a block volume on Virtual Volumes (vVols). Overrides the global maximum.',
    ),
  },
  { description: 'Limits for volume snapshots.' },
);

const components = object(
  {
    snapshotController: optional(
      boolean({ description: 'Install the snapshot controller, which volume snapshots require. Defaults to false.' }),
    ),
    validationWebhook: optional(
      boolean({
        description:
          'Install the validating webhook of the driver. After its certificate has expired, it rejects all changes of volumes. Defaults to false.',
      }),
    ),
    windows: optional(boolean({ description: 'Install the driver on Windows nodes. Defaults to false.' })),
  },
  { description: 'Optional parts of the CSI driver.' },
);

const storageProvider = object(
  {
    vsphereCloudConfig: optional(
      string({
        maxLength: 253,
        description: 'Name of the VsphereCloudConfig that the CSI driver uses. Use vsphereCloudConfigs for several.',
      }),
    ),
    vsphereCloudConfigs: optional(
      names(
        5,
        'Names of the VsphereCloudConfigs that the CSI driver uses, in the namespace of this object. Several require CSI 3.0 and topologyCategories. Defaults to all of them.',
      ),
    ),
    version: pin,
    clusterDistribution: optional(
      string({
        maxLength: 128,
        description: 'Kubernetes distribution that vCenter shows for volumes, such as OpenShift. Detected if not set.',
      }),
    ),
    customKubeletPath: optional(
      string({
        pattern: '^/',
        maxLength: 1024,
        description: 'Root directory of the kubelet on nodes. Defaults to /var/lib/kubelet.',
      }),
    ),
    fileVolumes: optional(fileVolumes),
    topologyCategories: optional(
      names(
        5,
        'Names of the vSphere tag categories that define the topology. A volume is created in a place whose tags match those of the node that uses it. Required for several vCenters.',
      ),
    ),
    snapshots: optional(snapshots),
    components: optional(components),
    controllerReplicas: optional(
      int32({
        minimum: 1,
        maximum: 9,
        description:
          'Number of replicas of the CSI controller, each on its own control plane node. Defaults to the number of control plane nodes, at most 3.',
      }),
    ),
  },
  {
    description:
      'The vSphere storage driver (CSI), which provides volumes. If not set, the operator does not manage a storage driver.',
  },
);

const spec = object(
  {
    cloudProvider: optional(cloudProvider),
    storageProvider: optional(storageProvider),
    paused: optional(
      boolean({ description: 'Stop the operator from changing the drivers. They keep running. Defaults to false.' }),
    ),
  },
  { description: 'Desired drivers of the cluster.' },
);

const oldPhase = enumeration(['Deploying', 'Deployed', 'Configuring', 'Configured', 'Failed'], {
  description: 'Progress of the driver, derived from the conditions. Kept for clients of earlier versions.',
});

const workload = object({
  kind: string({ description: 'Kind of the workload: Deployment or DaemonSet.' }),
  namespace: string({ description: 'Namespace of the workload.' }),
  name: string({ description: 'Name of the workload.' }),
  desired: int32({ description: 'Desired number of pods.' }),
  ready: int32({ description: 'Number of pods that are ready.' }),
  updated: int32({ description: 'Number of pods of the current revision.' }),
});

const driverStatus = object({
  desiredVersion: optional(string({ description: 'Version that the operator chose.' })),
  installedVersion: optional(string({ description: 'Version that is installed.' })),
  previousVersion: optional(string({ description: 'Version before the installed one. A rollback returns to it.' })),
  matrixRevision: optional(
    string({ description: 'Revision of the compatibility matrix that the version comes from.' }),
  ),
  availableUpgrade: optional(
    string({ description: 'Newer compatible version that is not installed because of a pin or the update policy.' }),
  ),
  health: optional(
    enumeration(['Healthy', 'Progressing', 'Degraded', 'Unhealthy', 'NotConfigured', 'Unknown'], {
      description: 'Health of the driver. NotConfigured if the operator does not manage it.',
    }),
  ),
  message: optional(string({ description: 'Why the driver is not healthy, and what to do.' })),
  workloads: optional(atomicList(workload, { description: 'Deployments and DaemonSets of the driver.' })),
  lastAppliedHash: optional(
    string({ description: 'Hash of the objects that were last applied. The driver is applied again if it differs.' }),
  ),
  appliedTime: optional(string({ description: 'When the objects of the driver were last changed.' })),
  lastRemediationTime: optional(
    string({ description: 'When the driver was last applied again because it was not healthy.' }),
  ),
  lastSeenRetry: optional(
    string({
      description: 'Last observed value of the annotation vdo.vmware.com/retry. A new value applies the driver again.',
    }),
  ),
});

const nodeStatus = object({
  name: string({ description: 'Name of the node.' }),
  state: enumeration(['ready', 'pending', 'failed', 'foreign'], {
    description:
      'ready: initialized by the CPI. pending: waiting for the CPI. failed: cannot be initialized. foreign: initialized by another cloud provider.',
  }),
  providerID: optional(
    string({ description: 'Provider ID of the node: vsphere:// and the UUID of its virtual machine.' }),
  ),
  reason: optional(string({ description: 'Machine-readable reason of the state.' })),
  message: optional(string({ description: 'Why the node is not ready, and what to do.' })),
});

const connectionStatus = object({
  name: string({ description: 'Name of the VsphereCloudConfig.' }),
  server: string({ description: 'IP address or DNS name of the vCenter.' }),
  user: optional(string({ description: 'User that the drivers log in as.' })),
  version: optional(string({ description: 'API version of the vCenter.' })),
  state: enumeration(['Verified', 'Failed', 'Unknown'], { description: 'Result of the last check of the connection.' }),
  reason: optional(string({ description: 'Reason of the condition Ready of the connection.' })),
  message: optional(string({ description: 'Message of the condition Ready of the connection.' })),
});

const status = object(
  {
    observedGeneration: optional(int64({ description: 'Generation of the spec that the status was computed from.' })),
    conditions: optional(
      refine(conditions, {
        description:
          'Current state of the drivers. Ready summarizes the other types, which report on the matrix, the versions, the connections and each driver.',
      }),
    ),
    summary: optional(string({ description: 'State of the drivers in one line.' })),
    cloudProvider: optional(refine(driverStatus, { description: 'State of the CPI.' })),
    storageProvider: optional(refine(driverStatus, { description: 'State of the CSI driver.' })),
    nodes: optional(mapList(nodeStatus, ['name'], { description: 'State of each node, if the CPI is managed.' })),
    nodeCounts: optional(map(int32(), { description: 'Number of nodes by state.' })),
    connections: optional(mapList(connectionStatus, ['name'], { description: 'Connections that the drivers use.' })),
    cpi: optional(
      object(
        {
          phase: optional(oldPhase),
          statusMsg: optional(string({ description: 'Why the CPI is not healthy, and what to do.' })),
          // The trailing space is part of the name in the public API.
          'nodeStatus ': optional(
            map(string(), { description: 'State of each node by name: ready, pending or failed.' }),
          ),
        },
        { description: 'State of the CPI for clients of earlier versions. Use cloudProvider instead.' },
      ),
    ),
    csi: optional(
      object(
        {
          phase: optional(oldPhase),
          statusMsg: optional(string({ description: 'Why the CSI driver is not healthy, and what to do.' })),
        },
        { description: 'State of the CSI driver for clients of earlier versions. Use storageProvider instead.' },
      ),
    ),
  },
  { description: 'Observed state of the drivers.' },
);

export const vdoConfig = defineKind({
  group,
  kind: 'VDOConfig',
  plural: 'vdoconfigs',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description:
        'VDOConfig configures the vSphere drivers that the operator installs in the cluster: the cloud provider (CPI) and the storage driver (CSI). If several VDOConfigs exist, only the oldest is active.',
      columns: [
        { name: 'CPI', type: 'string', jsonPath: '.status.cloudProvider.installedVersion' },
        { name: 'CPI Health', type: 'string', jsonPath: '.status.cloudProvider.health' },
        { name: 'CSI', type: 'string', jsonPath: '.status.storageProvider.installedVersion' },
        { name: 'CSI Health', type: 'string', jsonPath: '.status.storageProvider.health' },
        readyColumn,
        ageColumn,
      ],
      schema: {
        spec: optional(spec),
        status: optional(status),
      },
      subresources: { status: true },
    },
  ],
});

export type VdoConfig = ObjectOf<typeof vdoConfig>;
export type CloudProviderSpec = Infer<typeof cloudProvider>;
export type StorageProviderSpec = Infer<typeof storageProvider>;
export type DriverStatus = Infer<typeof driverStatus>;
export type WorkloadStatus = Infer<typeof workload>;
export type NodeStatus = Infer<typeof nodeStatus>;
export type ConnectionSummary = Infer<typeof connectionStatus>;
