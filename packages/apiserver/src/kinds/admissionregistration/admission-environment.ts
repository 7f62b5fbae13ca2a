import {
  admissionRequestType,
  authorizerType,
  type CelType,
  celBool,
  celList,
  celNull,
  celString,
  celStruct,
  compileExpression,
  type Expression,
  ExpressionError,
  jsonPatchType,
  namespaceObjectType,
  objectType,
  resourceCheckType,
} from '@slipway/kube';

/** Cost limit of all expressions of one policy for one request. */
export const policyCostMax = 10_000_000;
/** Cost limit of the match conditions of a webhook or policy. */
export const matchConditionsCostMax = 2_500_000;

export interface EnvironmentOptions {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** The types of the policy's variables that are compiled so far. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

/** Returns the variables that admission expressions may use. */
export function admissionVariables(options: EnvironmentOptions): Record<string, CelType | 'dyn'> {
  return {
    object: 'dyn',
    oldObject: 'dyn',
    request: admissionRequestType,
    namespaceObject: namespaceObjectType,
    ...(options.params ? { params: 'dyn' as const } : {}),
    ...(options.authorizer ? { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType } : {}),
    ...(options.variables === undefined ? {} : { variables: celStruct('kubernetes.variables', options.variables) }),
  };
}

/** The purpose of an expression, which determines its result type. */
export type ExpressionRole =
  | 'condition'
  | 'message'
  | 'auditAnnotation'
  | 'variable'
  | 'applyConfiguration'
  | 'jsonPatch';

const results: Readonly<Record<ExpressionRole, CelType | readonly CelType[] | undefined>> = {
  condition: celBool,
  message: celString,
  auditAnnotation: [celString, celNull],
  variable: undefined,
  applyConfiguration: objectType(),
  jsonPatch: celList(jsonPatchType),
};

/** Compiles an admission expression. Throws ExpressionError. */
export function compileAdmissionExpression(
  text: string,
  role: ExpressionRole,
  options: EnvironmentOptions,
): Expression {
  const returnType = results[role];
  return compileExpression(text.trim(), {
    variables: admissionVariables(options),
    ...(returnType === undefined ? {} : { returnType }),
    patchTypes: role === 'applyConfiguration' || role === 'jsonPatch',
  });
}

/** Returns the compilation error of an expression, or undefined. */
export function expressionProblem(text: string, role: ExpressionRole, options: EnvironmentOptions): string | undefined {
  try {
    compileAdmissionExpression(text, role, options);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
