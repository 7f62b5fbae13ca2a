export { createTopologyController } from './controller.js';
