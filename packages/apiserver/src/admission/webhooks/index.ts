export { MutatingWebhooks } from './mutating-webhooks.js';
export { ValidatingWebhooks } from './validating-webhooks.js';
export { WebhookMetrics } from './webhook-metrics.js';
export { WebhookCaller } from './webhook-caller.js';
export { WebhookSource } from './webhook-source.js';
