export { clusterController, type ClusterControllerOptions } from './controller.js';
