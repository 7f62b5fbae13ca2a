export { createTemplatesOfDeploymentsController, createTemplatesOfSetsController } from './controller.js';
