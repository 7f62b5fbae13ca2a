export { HostingClusters, type PodCluster } from './hosting-cluster.js';
export { adoptedDeploymentAnnotation, nodeReadyGate } from './pod-names.js';
export { PodMachines } from './pod-service.js';
export { podSettingsDefault } from './pod-settings.js';
