import { type Expression, type ExpressionBindings, ExpressionError, itemsOf, textOf } from '@slipway/kube';
import { compileAdmissionExpression, type EnvironmentOptions, matchConditionsCostMax } from '../kinds/index.js';

/**
 * A compiled expression, or its compilation error: an older version of the server may have accepted and stored an invalid one.
 */
export interface CompiledExpression {
  readonly text: string;
  readonly expression: Expression | undefined;
  readonly problem: string;
}

export function tryCompile(
  text: string,
  role: Parameters<typeof compileAdmissionExpression>[1],
  options: EnvironmentOptions,
): CompiledExpression {
  try {
    return { text, expression: compileAdmissionExpression(text, role, options), problem: '' };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { text, expression: undefined, problem: `compilation error: ${error.message}` };
  }
}

export function compileConditions(conditions: unknown, options: EnvironmentOptions): readonly CompiledExpression[] {
  return itemsOf(conditions).map((condition) => tryCompile(textOf(condition['expression']), 'condition', options));
}

export type ConditionsOutcome = 'match' | 'noMatch' | { readonly error: string };

/**
 * Evaluates match conditions in order. A false condition means no match, even if an earlier one failed to evaluate.
 * Errors are returned only if no condition is false, or immediately if the cost limit is exceeded.
 */
export function evaluateConditions(
  conditions: readonly CompiledExpression[],
  bindings: ExpressionBindings,
): ConditionsOutcome {
  const errors: string[] = [];
  let budget = matchConditionsCostMax;
  for (const condition of conditions) {
    if (condition.expression === undefined) {
      errors.push(condition.problem);
      continue;
    }
    const result = condition.expression.evaluate(bindings, budget);
    budget -= result.cost;
    if (!result.ok && budget < 0) return { error: result.error };
    if (!result.ok) errors.push(evaluationError(condition.text, result.error));
    else if (result.value === false) return 'noMatch';
  }
  if (errors.length === 0) return 'match';
  return { error: errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]` };
}

export function evaluationError(text: string, error: string): string {
  return `expression '${text}' resulted in error: ${error}`;
}
