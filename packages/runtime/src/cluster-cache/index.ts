export type { ClusterCacheOptions, ClusterListener } from './cluster-cache.js';
export { ClusterCache } from './cluster-cache.js';
export type {
  ClusterCacheLimits,
  ClusterHealth,
  ClusterWatch,
  WorkloadClient,
  WorkloadCluster,
} from './cluster-connection.js';
export type { DisconnectedReason } from './cluster-disconnected.js';
export { ClusterDisconnected } from './cluster-disconnected.js';
export type { KubeconfigSource } from './kubeconfig-source.js';
export { kubeconfigSecrets } from './kubeconfig-source.js';
