export type { ClientConfig } from './client-config.js';
export type { ConversionWebhookOptions } from './conversion-webhook.js';
export { createConversionWebhook } from './conversion-webhook.js';
export { storeServiceResolver } from './service-resolver.js';
export type { ServiceAddress, ServiceResolver, WebhookCall, WebhookClientOptions } from './webhook-client.js';
export { WebhookCallError, WebhookClient } from './webhook-client.js';
