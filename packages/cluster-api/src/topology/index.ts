export { createTopologyControllers, topologyControllers } from './descriptors.js';
