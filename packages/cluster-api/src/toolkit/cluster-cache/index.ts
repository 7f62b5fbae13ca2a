export { ClusterCache } from './cluster-cache.js';
export type { ClusterHealth, WorkloadCluster } from './cluster-connection.js';
export { ClusterDisconnected } from './cluster-disconnected.js';
export { workloadClusters } from './workload-clusters.js';
