export { clusterController } from './controller.js';
