export { createClusterResourceSetBindingController } from './binding-controller.js';
export { createClusterResourceSetController } from './controller.js';
