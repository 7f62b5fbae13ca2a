export type {
  IndexFunction,
  Informer,
  InformerHandler,
  InformerView,
} from './informer.js';
export type { InformerOptions } from './informer-factory.js';
export { InformerFactory } from './informer-factory.js';
