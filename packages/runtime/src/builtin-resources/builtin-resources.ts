import type { CustomResourceDefinition, KubeObject } from '@slipway/kube';
import type {
  CSIDriver,
  CSINode,
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CoreEvent,
  DaemonSet,
  Deployment,
  Endpoints,
  Event,
  Lease,
  MutatingWebhookConfiguration,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  RuleWithOperations,
  Secret,
  Service,
  ServiceAccount,
  ValidatingWebhookConfiguration,
  VolumeAttachment,
} from '@slipway/kube/builtin';
import type { Resource } from '../client/index.js';

type RuleLists = 'operations' | 'apiGroups' | 'apiVersions' | 'resources';

/** A webhook rule in which every list is set. In the stored type every list is optional. */
export type WebhookRule = RuleWithOperations & Required<Pick<RuleWithOperations, RuleLists>>;

function namespacedResource<T extends KubeObject>(
  group: string,
  version: string,
  kind: T['kind'],
  plural: string,
): Resource<T> {
  return { group, version, kind, plural, namespaced: true };
}

function clusterResource<T extends KubeObject>(
  group: string,
  version: string,
  kind: T['kind'],
  plural: string,
): Resource<T> {
  return { group, version, kind, plural, namespaced: false };
}

export const namespaces = clusterResource<Namespace>('', 'v1', 'Namespace', 'namespaces');
export const secrets = namespacedResource<Secret>('', 'v1', 'Secret', 'secrets');
export const configMaps = namespacedResource<ConfigMap>('', 'v1', 'ConfigMap', 'configmaps');
export const services = namespacedResource<Service>('', 'v1', 'Service', 'services');
export const serviceAccounts = namespacedResource<ServiceAccount>('', 'v1', 'ServiceAccount', 'serviceaccounts');
export const coreEvents = namespacedResource<CoreEvent>('', 'v1', 'Event', 'events');
export const nodes = clusterResource<Node>('', 'v1', 'Node', 'nodes');
export const pods = namespacedResource<Pod>('', 'v1', 'Pod', 'pods');
export const persistentVolumeClaims = namespacedResource<PersistentVolumeClaim>(
  '',
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
);
export const persistentVolumes = clusterResource<PersistentVolume>('', 'v1', 'PersistentVolume', 'persistentvolumes');
export const endpoints = namespacedResource<Endpoints>('', 'v1', 'Endpoints', 'endpoints');
export const deployments = namespacedResource<Deployment>('apps', 'v1', 'Deployment', 'deployments');
export const daemonSets = namespacedResource<DaemonSet>('apps', 'v1', 'DaemonSet', 'daemonsets');
export const roles = namespacedResource<Role>('rbac.authorization.k8s.io', 'v1', 'Role', 'roles');
export const clusterRoles = clusterResource<ClusterRole>(
  'rbac.authorization.k8s.io',
  'v1',
  'ClusterRole',
  'clusterroles',
);
export const roleBindings = namespacedResource<RoleBinding>(
  'rbac.authorization.k8s.io',
  'v1',
  'RoleBinding',
  'rolebindings',
);
export const clusterRoleBindings = clusterResource<ClusterRoleBinding>(
  'rbac.authorization.k8s.io',
  'v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
);
export const validatingWebhookConfigurations = clusterResource<ValidatingWebhookConfiguration>(
  'admissionregistration.k8s.io',
  'v1',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
);
export const mutatingWebhookConfigurations = clusterResource<MutatingWebhookConfiguration>(
  'admissionregistration.k8s.io',
  'v1',
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
);
export const customResourceDefinitions = clusterResource<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
export const certificateSigningRequests = clusterResource<CertificateSigningRequest>(
  'certificates.k8s.io',
  'v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
);
export const leases = namespacedResource<Lease>('coordination.k8s.io', 'v1', 'Lease', 'leases');
export const events = namespacedResource<Event>('events.k8s.io', 'v1', 'Event', 'events');
export const podDisruptionBudgets = namespacedResource<PodDisruptionBudget>(
  'policy',
  'v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
);
export const volumeAttachments = clusterResource<VolumeAttachment>(
  'storage.k8s.io',
  'v1',
  'VolumeAttachment',
  'volumeattachments',
);
export const csiNodes = clusterResource<CSINode>('storage.k8s.io', 'v1', 'CSINode', 'csinodes');
export const csiDrivers = clusterResource<CSIDriver>('storage.k8s.io', 'v1', 'CSIDriver', 'csidrivers');
