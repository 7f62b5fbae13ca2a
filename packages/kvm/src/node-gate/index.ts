export { createNodeGateController, type NodeGateOptions } from './controller.js';
