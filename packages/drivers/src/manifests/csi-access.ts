import type { KubeObject } from '@slipway/kube';
import { csiNamespace } from '../api/index.js';
import { allow, binding, clusterRole, role, serviceAccount } from './objects.js';

const controller = { name: 'vsphere-csi-controller', namespace: csiNamespace };
const node = { name: 'vsphere-csi-node', namespace: csiNamespace };
const snapshots = 'snapshot.storage.k8s.io';
const read = 'get list watch';

const controllerRules = [
  allow('', 'nodes pods', read),
  allow('', 'configmaps', `${read} create`),
  allow('', 'persistentvolumeclaims', `${read} update`),
  allow('', 'persistentvolumeclaims/status', 'patch'),
  allow('', 'persistentvolumes', `${read} create update delete patch`),
  allow('', 'events', `${read} create update patch`),
  allow('coordination.k8s.io', 'leases', `${read} delete update create`),
  allow('storage.k8s.io', 'storageclasses csinodes', read),
  allow('storage.k8s.io', 'volumeattachments', `${read} patch`),
  allow('storage.k8s.io', 'volumeattachments/status', 'patch'),
  allow('cns.vmware.com', 'triggercsifullsyncs', `${read} create update`),
  allow('cns.vmware.com', 'cnsvspherevolumemigrations cnsvolumeinfoes', `${read} create update delete`),
  allow('cns.vmware.com', 'cnsvolumeoperationrequests', `${read} create update delete`),
  allow('cns.vmware.com', 'csinodetopologies', `${read} update`),
  allow('apiextensions.k8s.io', 'customresourcedefinitions', 'get create update'),
  allow(snapshots, 'volumesnapshots', 'get list'),
  allow(snapshots, 'volumesnapshotclasses', read),
  allow(snapshots, 'volumesnapshotcontents', `${read} create update delete patch`),
  allow(snapshots, 'volumesnapshotcontents/status', 'update patch'),
];

const nodeRules = [allow('cns.vmware.com', 'csinodetopologies', 'create watch get patch'), allow('', 'nodes', 'get')];

/** Service accounts and roles of the storage driver. */
export function csiAccess(): KubeObject[] {
  return [
    serviceAccount(controller.namespace, controller.name),
    serviceAccount(node.namespace, node.name),
    clusterRole('vsphere-csi-controller-role', controllerRules),
    binding(
      'ClusterRoleBinding',
      { name: 'vsphere-csi-controller-binding' },
      { kind: 'ClusterRole', name: 'vsphere-csi-controller-role' },
      controller,
    ),
    clusterRole('vsphere-csi-node-cluster-role', nodeRules),
    binding(
      'ClusterRoleBinding',
      { name: 'vsphere-csi-node-cluster-role-binding' },
      { kind: 'ClusterRole', name: 'vsphere-csi-node-cluster-role' },
      node,
    ),
    role(csiNamespace, 'vsphere-csi-node-role', [allow('', 'configmaps', read)]),
    binding(
      'RoleBinding',
      { name: 'vsphere-csi-node-binding', namespace: csiNamespace },
      { kind: 'Role', name: 'vsphere-csi-node-role' },
      node,
    ),
  ];
}
