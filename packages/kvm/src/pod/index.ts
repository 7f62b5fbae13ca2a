export { HostingClusters, type HostingClustersOptions } from './hosting-cluster.js';
export { adoptedDeploymentAnnotation, nodeReadyGate } from './pod-names.js';
export { PodMachines } from './pod-service.js';
export { type PodSettings, podSettingsDefault } from './pod-settings.js';
