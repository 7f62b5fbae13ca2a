export { MutatingWebhooks, type WebhookPluginOptions } from './mutating-webhooks.js';
export { ValidatingWebhooks } from './validating-webhooks.js';
export { WebhookCaller, type WebhookCallerOptions } from './webhook-caller.js';
export { WebhookSource } from './webhook-source.js';
