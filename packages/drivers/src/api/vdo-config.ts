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
  string,
} from '@slipway/kube/kit';
import { ageColumn, readyColumn } from './columns.js';
import { group } from './names.js';

const versionPattern = '^v?[0-9]+\\.[0-9]+\\.[0-9]+([-+].*)?$';
const names = (maxItems: number) => atomicList(string({ minLength: 1, maxLength: 253 }), { maxItems });
const pin = optional(
  string({
    pattern: versionPattern,
    maxLength: 64,
    description: 'Exactly this version; it is not upgraded by itself.',
  }),
);

const cloudProvider = object({
  vsphereCloudConfigs: optional(names(64)),
  version: pin,
  topology: optional(
    object({
      zone: string({ description: 'The category of tags that names zones.' }),
      region: string({ description: 'The category of tags that names regions.' }),
    }),
  ),
  nodes: optional(
    object({
      internalNetworkSubnetCidr: optional(string()),
      externalNetworkSubnetCidr: optional(string()),
      internalVmNetworkName: optional(string()),
      externalVmNetworkName: optional(string()),
      excludeInternalNetworkSubnetCidr: optional(string()),
      excludeExternalNetworkSubnetCidr: optional(string()),
    }),
  ),
  ipFamily: optional(atomicList(enumeration(['ipv4', 'ipv6']), { maxItems: 2 })),
});

const fileVolumes = object({
  vsanDataStoreUrl: optional(atomicList(string(), { maxItems: 64 })),
  vsanFileShareClusters: optional(names(64)),
  netPermissions: optional(
    atomicList(
      object({
        ips: string({ minLength: 1, maxLength: 253, description: '*, an address, a range or a subnet.' }),
        permissions: optional(enumeration(['READ_ONLY', 'READ_WRITE', 'NO_ACCESS'])),
        rootSquash: optional(boolean({ description: 'True denies root.' })),
      }),
      { maxItems: 64 },
    ),
  ),
});

const storageProvider = object({
  vsphereCloudConfig: optional(string({ maxLength: 253 })),
  vsphereCloudConfigs: optional(names(5)),
  version: pin,
  clusterDistribution: optional(string({ maxLength: 128 })),
  customKubeletPath: optional(string({ pattern: '^/', maxLength: 1024 })),
  fileVolumes: optional(fileVolumes),
  topologyCategories: optional(names(5)),
  snapshots: optional(
    object({
      globalMaxSnapshotsPerBlockVolume: optional(int32({ minimum: 1, maximum: 32 })),
      granularVsan: optional(int32({ minimum: 1, maximum: 32 })),
      granularVvol: optional(int32({ minimum: 1, maximum: 32 })),
    }),
  ),
  components: optional(
    object({
      snapshotController: optional(boolean()),
      validationWebhook: optional(boolean()),
      windows: optional(boolean()),
    }),
  ),
  controllerReplicas: optional(int32({ minimum: 1, maximum: 9 })),
});

const oldPhase = enumeration(['Deploying', 'Deployed', 'Configuring', 'Configured', 'Failed']);

const workload = object({
  kind: string(),
  namespace: string(),
  name: string(),
  desired: int32(),
  ready: int32(),
  updated: int32(),
});

const driverStatus = object({
  desiredVersion: optional(string()),
  installedVersion: optional(string()),
  previousVersion: optional(string()),
  matrixRevision: optional(string()),
  availableUpgrade: optional(string()),
  health: optional(enumeration(['Healthy', 'Progressing', 'Degraded', 'Unhealthy', 'NotConfigured', 'Unknown'])),
  message: optional(string()),
  workloads: optional(atomicList(workload)),
  lastAppliedHash: optional(string()),
  appliedTime: optional(string()),
  lastRemediationTime: optional(string()),
  lastSeenRetry: optional(string()),
});

const nodeStatus = object({
  name: string(),
  state: enumeration(['ready', 'pending', 'failed', 'foreign']),
  providerID: optional(string()),
  reason: optional(string()),
  message: optional(string()),
});

const connectionStatus = object({
  name: string(),
  server: string(),
  user: optional(string()),
  version: optional(string()),
  state: enumeration(['Verified', 'Failed', 'Unknown']),
  reason: optional(string()),
  message: optional(string()),
});

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
      description: 'Which vSphere drivers a cluster has, and how they are set up. There is one for each cluster.',
      columns: [
        { name: 'CPI', type: 'string', jsonPath: '.status.cloudProvider.installedVersion' },
        { name: 'CPI Health', type: 'string', jsonPath: '.status.cloudProvider.health' },
        { name: 'CSI', type: 'string', jsonPath: '.status.storageProvider.installedVersion' },
        { name: 'CSI Health', type: 'string', jsonPath: '.status.storageProvider.health' },
        readyColumn,
        ageColumn,
      ],
      schema: {
        spec: optional(
          object({
            cloudProvider: optional(cloudProvider),
            storageProvider: optional(storageProvider),
            paused: optional(boolean()),
          }),
        ),
        status: optional(
          object({
            observedGeneration: optional(int64()),
            conditions: optional(conditions),
            summary: optional(string()),
            cloudProvider: optional(driverStatus),
            storageProvider: optional(driverStatus),
            nodes: optional(mapList(nodeStatus, ['name'])),
            nodeCounts: optional(map(int32())),
            connections: optional(mapList(connectionStatus, ['name'])),
            // As older readers know them. The space in the name is theirs.
            cpi: optional(
              object({
                phase: optional(oldPhase),
                statusMsg: optional(string()),
                'nodeStatus ': optional(map(string())),
              }),
            ),
            csi: optional(object({ phase: optional(oldPhase), statusMsg: optional(string()) })),
          }),
        ),
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
