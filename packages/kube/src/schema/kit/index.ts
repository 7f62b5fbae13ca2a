export {
  atomicList,
  custom,
  embeddedResource,
  freeObject,
  list,
  map,
  mapList,
  nullable,
  object,
  refine,
  setList,
} from './containers.js';
export {
  defineKind,
  groupVersionKindOf,
  type Kind,
  type KindDeclaration,
  type ObjectOf,
  type ObjectRef,
  type PrinterColumn,
  refOf,
  type ScaleSubresource,
  schemaOfKind,
  type VersionDeclaration,
} from './define-kind.js';
export { describeDefinition, describeFields } from './describe.js';
export { type Fields, type Infer, type Node, type ObjectValue, optional, type OptionalNode } from './node.js';
export type { CommonOptions, ListOptions, NumberOptions, ObjectOptions, StringOptions } from './options.js';
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
  type IntOrStringOptions,
  number,
  quantity,
  string,
} from './scalars.js';
export { type DefinitionOptions, toCustomResourceDefinition } from './to-custom-resource-definition.js';
