export { readAuthorities } from './authorities.js';
export { connectInProcess } from './connect.js';
export { isTaken, PortsExhausted } from './listener.js';
export { componentImage, etcdImage } from './objects/add-ons.js';
export { kubeadmConfig, kubeadmConfigName } from './objects/cluster-objects.js';
export { nodeCapacity, nodeObject, nodeResource } from './objects/node.js';
export { podResource, type StaticPod, staticPod, staticPodName, systemNamespace } from './objects/static-pods.js';
export type { SimulatedObjects } from './simulated-objects.js';
export { WorkloadCluster } from './workload-cluster.js';
export {
  type Endpoint,
  type RequestedEndpoint,
  WorkloadClusters,
  type WorkloadClustersOptions,
} from './workload-clusters.js';
