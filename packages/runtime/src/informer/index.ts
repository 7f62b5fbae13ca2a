export type {
  IndexFunction,
  Informer,
  InformerHandler,
  InformerStatus,
  InformerView,
  WaitOptions,
} from './informer.js';
export type { InformerFactoryOptions, InformerOptions } from './informer-factory.js';
export { InformerFactory } from './informer-factory.js';
export type { CollectionScope, ReflectorLimits } from './reflector.js';
export type { Transform } from './shared-informer.js';
