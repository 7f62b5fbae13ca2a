export {
  admissionRequestType,
  authorizerType,
  jsonPatchType,
  namespaceObjectType,
  objectType,
  resourceCheckType,
} from './admission-types.js';
export {
  compileExpression,
  Expression,
  type ExpressionBindings,
  ExpressionError,
  LazyMap,
  patchTypeProblem,
  toJson,
} from './expression.js';
export { type AccessChecker, authorizerValue, requestResourceValue } from './library/authorization.js';
export { checkRules } from './rules/check-rules.js';
export { evaluateRules } from './rules/evaluate-rules.js';
export {
  boolType as celBool,
  type CelType,
  doubleType as celDouble,
  dynType as celDyn,
  intType as celInt,
  listType as celList,
  mapType as celMap,
  nullType as celNull,
  stringType as celString,
  structType as celStruct,
} from './types/cel-type.js';
export { escapePropertyName } from './values/property-name.js';
export { Failure as CelFailure, type Value as CelValue } from './values/value.js';
