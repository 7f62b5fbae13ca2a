export { createTopologyController } from './controller.js';
export { topologyControllers } from './descriptors.js';
