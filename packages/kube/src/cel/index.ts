export {
  admissionRequestType,
  authorizerType,
  jsonPatchType,
  namespaceObjectType,
  objectType,
  resourceCheckType,
} from './admission-types.js';
export {
  type BoundValue,
  compileExpression,
  EXPRESSION_BUDGET,
  Expression,
  type ExpressionBindings,
  ExpressionError,
  type ExpressionOptions,
  type ExpressionResult,
  LazyMap,
  MATCH_CONDITIONS_BUDGET,
  patchTypeProblem,
  toJson,
} from './expression.js';
export {
  type AccessAnswer,
  type AccessChecker,
  type AccessQuestion,
  authorizerValue,
  requestResourceValue,
} from './library/index.js';
export {
  checkRules,
  evaluateRules,
  OBJECT_COST_MAX,
  type RuleCheckInput,
  type RuleEvaluationInput,
  type RuleNode,
} from './rules/index.js';
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
} from './types/index.js';
export { escapePropertyName, Failure as CelFailure, type Value as CelValue } from './values/index.js';
