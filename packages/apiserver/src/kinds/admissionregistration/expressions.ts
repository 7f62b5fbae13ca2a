import { celDyn, type CelType, ExpressionError, type FieldError, invalidField } from '@slipway/kube';
import {
  compileAdmissionExpression,
  type EnvironmentOptions,
  expressionProblem,
  type ExpressionRole,
} from './admission-environment.js';
import { type Fields, has, list, text } from '../shared/fields.js';

/** Returns the compilation errors of an expression. Empty expressions are reported elsewhere. */
export function validateExpression(
  path: string,
  value: unknown,
  role: ExpressionRole,
  options: EnvironmentOptions,
): FieldError[] {
  const expression = text(value).trim();
  if (expression === '') return [];
  const problem = expressionProblem(expression, role, options);
  return problem === undefined ? [] : [invalidField(path, expression, problem)];
}

/** The environment of a policy's expressions, and the errors of its variables. */
export interface PolicyExpressions {
  readonly options: EnvironmentOptions;
  readonly errors: readonly FieldError[];
}

/**
 * Compiles the variables of a policy. A variable may use earlier ones. One that does not compile has type dyn for later ones, so
 * that its error is reported once.
 */
export function policyExpressions(spec: Fields): PolicyExpressions {
  const base = { params: has(spec.paramKind), authorizer: true };
  const variables = new Map<string, CelType>();
  const errors: FieldError[] = [];
  for (const [index, variable] of list(spec.variables).entries()) {
    const expression = text(variable.expression).trim();
    const path = `spec.variables[${index}].expression`;
    variables.set(
      text(variable.name),
      variableType(expression, path, { ...base, variables: new Map(variables) }, errors),
    );
  }
  return { options: { ...base, variables }, errors };
}

function variableType(expression: string, path: string, options: EnvironmentOptions, errors: FieldError[]): CelType {
  if (expression === '') return celDyn;
  try {
    return compileAdmissionExpression(expression, 'variable', options).resultType;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    errors.push(invalidField(path, expression, error.message));
    return celDyn;
  }
}
