export { atomicList, custom, freeObject, list, map, mapList, object, refine } from './containers.js';
export { defineKind, type Kind, type KindDeclaration, type ObjectOf, type PrinterColumn } from './define-kind.js';
export { describeDefinition } from './describe.js';
export { fieldsWithoutDescription } from './descriptions.js';
export { type Fields, type Infer, type Node, type ObjectValue, type OptionalNode, optional } from './node.js';
export {
  anyValue,
  boolean,
  bytes,
  dateTime,
  enumeration,
  int32,
  int64,
  integer,
  intOrString,
  quantity,
  string,
} from './scalars.js';
export { toCustomResourceDefinition } from './to-custom-resource-definition.js';
