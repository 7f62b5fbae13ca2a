export { registerWebhooks } from './in-process-webhooks.js';
export type { EmbeddedControllersOptions } from './start-controllers.js';
export { startEmbeddedControllers } from './start-controllers.js';
