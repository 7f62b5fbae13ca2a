export type { BootstrapData, BootstrapDataInput } from './bootstrap-data.js';
export { createBootstrapData } from './bootstrap-data.js';
export type { BootstrapDataReason } from './bootstrap-data-error.js';
export { BootstrapDataError } from './bootstrap-data-error.js';
export { bootstrapDataSecret } from './data-secret.js';
export type { DiscoveryPlan } from './discovery.js';
export { caCertificateHashes, planDiscovery, withToken } from './discovery.js';
export type { ClusterFacts } from './kubeadm-documents/index.js';
export { clusterDocument, clusterFacts, endpointOf, initDocument, joinDocument } from './kubeadm-documents/index.js';
export type { KubeadmApiVersion, KubernetesVersion } from './kubernetes-version.js';
export { kubeadmApiVersionOf, parseKubernetesVersion } from './kubernetes-version.js';
export type { SecretsByName } from './resolve-sources.js';
export { secretNamesOf } from './resolve-sources.js';
export type {
  BootFile,
  BootstrapFormat,
  BootstrapRole,
  ClusterConfiguration,
  ClusterView,
  InitConfiguration,
  JoinConfiguration,
  KubeadmConfigSpecView,
} from './types.js';
