export type { ConversionWebhook } from './crd.js';
export { CrdController } from './crd-controller.js';
export { crdStatusStrategy, crdStrategy } from './crd-strategy.js';
export type { Converter, ConverterSource } from './custom-definition.js';
