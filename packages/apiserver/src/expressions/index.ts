export type { EnvironmentOptions, ExpressionRole } from './admission-environment.js';
export {
  admissionVariables,
  compileAdmissionExpression,
  expressionProblem,
  matchConditionsCostMax,
  policyCostMax,
} from './admission-environment.js';
