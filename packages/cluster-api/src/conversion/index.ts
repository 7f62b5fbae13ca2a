export { type Codec, each } from './codec.js';
export { type Conversion, conversionDataAnnotation, defineConversion } from './conversion.js';
export { type ContractVersions, createConverters } from './converter.js';
export { isObject } from './json-object.js';
export { at, inside, move, type Move, onlyNew, onlyOld, structure } from './structure.js';
export {
  args,
  contractRef,
  durationSeconds,
  failureDomainList,
  nodeRef,
  plainBoolean,
  templateRef,
} from './values.js';
