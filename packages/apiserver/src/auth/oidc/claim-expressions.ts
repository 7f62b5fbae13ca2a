import {
  celBool,
  celDyn,
  celList,
  celMap,
  celNull,
  celString,
  celStruct,
  type CelType,
  compileExpression,
  type Expression,
  ExpressionError,
  type JsonValue,
  toJson,
} from '@slipway/kube';
import type { UserInfo } from '../../contract/index.js';

/** Why an expression of the configuration is invalid. */
export class ExpressionProblem extends Error {
  override readonly name = 'ExpressionProblem';
}

/** A compiled expression over the claims of a token or over the user that they map to. */
export interface ClaimProgram {
  readonly text: string;
  /** Returns the result as JSON. Throws an Error with the reason if evaluation fails. */
  evaluate(value: JsonValue): JsonValue;
}

const userType = celStruct(
  'kubernetes.UserInfo',
  new Map<string, CelType>([
    ['username', celString],
    ['uid', celString],
    ['groups', celList(celString)],
    ['extra', celMap(celString, celList(celString))],
  ]),
);

const results: Readonly<Record<'condition' | 'text' | 'texts', readonly CelType[]>> = {
  condition: [celBool],
  text: [celString],
  texts: [celString, celList(celString), celDyn, celList(celDyn), celNull],
};

/** Compiles an expression. The variable is `claims` or `user`. */
export function compileClaimExpression(
  text: string,
  variable: 'claims' | 'user',
  result: 'condition' | 'text' | 'texts',
): ClaimProgram {
  const expression = compile(text, variable, result);
  return {
    text,
    evaluate(value) {
      const outcome = expression.evaluate({ [variable]: value });
      if (!outcome.ok) throw new Error(`expression '${text}' resulted in error: ${outcome.error}`);
      return toJson(outcome.value) ?? null;
    },
  };
}

function compile(text: string, variable: 'claims' | 'user', result: keyof typeof results): Expression {
  const type = variable === 'claims' ? celMap(celString, celDyn) : userType;
  // Claims have no types: an expression such as `claims.sub` is dynamic, and its result is checked when it is evaluated.
  const returnType = result === 'texts' ? results.texts : [...results[result], celDyn];
  try {
    return compileExpression(text, { variables: { [variable]: type }, returnType });
  } catch (error) {
    if (error instanceof ExpressionError) throw new ExpressionProblem(error.message);
    throw error;
  }
}

/** Returns the value of the variable `user`. */
export function userValue({ username, uid = '', groups, extra = {} }: UserInfo): JsonValue {
  return {
    username,
    uid,
    groups: [...groups],
    extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
  };
}
