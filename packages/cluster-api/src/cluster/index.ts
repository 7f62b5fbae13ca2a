export { clusterController, createClusterController, type ClusterControllerOptions } from './controller.js';
