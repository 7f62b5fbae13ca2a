export { createClusterClassController } from './controller.js';
