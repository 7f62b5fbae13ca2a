export { createTemplatesOfDeploymentsController, createTemplatesOfSetsController } from './controller.js';
export { templatesToDelete, type TemplateUser } from './templates-in-use.js';
