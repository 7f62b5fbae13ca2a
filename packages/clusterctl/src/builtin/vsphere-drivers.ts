import { indent } from './template-lines.js';

/**
 * The cloud provider and the storage driver of workload clusters: manifests in which variables of templates stand. They come
 * from whoever knows the drivers.
 */
export interface DriverManifests {
  readonly cloudAccount: string;
  readonly cloudManifests: string;
  readonly storageAccount: string;
  readonly storageManifests: string;
}

/** Begin with the name of the cluster: the next cluster of the namespace may be in another vCenter. */
const names = {
  cloudAccount: '${CLUSTER_NAME}-cloud-provider-vsphere-credentials',
  cloudManifests: '${CLUSTER_NAME}-cpi-manifests',
  storageAccount: '${CLUSTER_NAME}-vsphere-config-secret',
  storageManifests: '${CLUSTER_NAME}-csi-manifests',
};

// What makes the namespace of an account comes before the account.
const resources = [
  ['ConfigMap', names.storageManifests],
  ['Secret', names.storageAccount],
  ['Secret', names.cloudAccount],
  ['ConfigMap', names.cloudManifests],
];

const clusterResourceSet = `
apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata:
  name: "\${CLUSTER_NAME}-crs-0"
  namespace: "\${NAMESPACE}"
  labels:
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
spec:
  clusterSelector:
    matchLabels:
      cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
  resources:
${resources.map(([kind, name]) => `  - kind: ${kind}\n    name: "${name}"`).join('\n')}
`;

/** What Cluster API applies to a workload cluster as soon as it answers. */
export function driverResources(drivers: DriverManifests): string[] {
  return [
    clusterResourceSet,
    account(names.storageAccount, drivers.storageAccount),
    manifests(names.storageManifests, drivers.storageManifests),
    account(names.cloudAccount, drivers.cloudAccount),
    manifests(names.cloudManifests, drivers.cloudManifests),
  ];
}

function account(name: string, text: string): string {
  return `
apiVersion: v1
kind: Secret
metadata:
  name: "${name}"
  namespace: "\${NAMESPACE}"
type: addons.cluster.x-k8s.io/resource-set
stringData:
  data: |
${indent(4, text.trimEnd().split('\n'))}
`;
}

function manifests(name: string, text: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata:
  name: "${name}"
  namespace: "\${NAMESPACE}"
data:
  data: |
${indent(4, text.trimEnd().split('\n'))}
`;
}
