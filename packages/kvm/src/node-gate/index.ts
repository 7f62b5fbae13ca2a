export { createNodeGateController } from './controller.js';
