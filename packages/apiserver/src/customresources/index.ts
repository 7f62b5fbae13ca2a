export type { ConversionWebhook } from './crd.js';
export { CrdController } from './crd-controller.js';
export type { Converter, ConverterSource } from './custom-definition.js';
