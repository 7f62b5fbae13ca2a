import {
  asJson,
  CelFailure,
  type CelValue,
  type ExpressionBindings,
  type Frozen,
  type KubeObject,
  LazyMap,
} from '@slipway/kube';
import { policyCostMax } from '../../kinds/index.js';
import {
  type CompiledExpression,
  type ConditionsOutcome,
  evaluateConditions,
  evaluationError,
} from '../match-conditions.js';
import type { Policy } from './policy.js';

export type EvaluationResult =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly error: string };

/**
 * Evaluates the expressions of one policy for one request and parameter. The expressions share a cost budget and the policy's
 * variables.
 */
export class PolicyEvaluation {
  readonly #policy: Policy;
  readonly #bindings: ExpressionBindings;
  #budget = policyCostMax;
  #exhausted = '';

  constructor(policy: Policy, bindings: ExpressionBindings, param: Frozen<KubeObject> | undefined) {
    this.#policy = policy;
    const withParams = { ...bindings, params: param === undefined ? null : asJson(param) };
    this.#bindings = { ...withParams, variables: this.#lazyVariables() };
  }

  conditions(): ConditionsOutcome {
    return evaluateConditions(this.#policy.conditions, this.#bindings);
  }

  run(compiled: CompiledExpression): EvaluationResult {
    if (compiled.expression === undefined) return { ok: false, error: compiled.problem };
    if (this.#exhausted !== '') return { ok: false, error: this.#exhausted };
    const result = compiled.expression.evaluate(this.#bindings, this.#budget);
    this.#budget -= result.cost;
    if (result.ok) return { ok: true, value: result.value };
    if (this.#budget >= 0) return { ok: false, error: evaluationError(compiled.text, result.error) };
    this.#exhausted = result.error;
    return { ok: false, error: result.error };
  }

  #lazyVariables(): LazyMap {
    const entries = [...this.#policy.variables].map(
      ([name, compiled]) => [name, () => this.#variable(name, compiled)] as const,
    );
    return new LazyMap(new Map(entries));
  }

  #variable(name: string, compiled: CompiledExpression): CelValue {
    if (compiled.expression === undefined)
      return new CelFailure(`composited variable "${name}" fails to compile: ${compiled.problem}`);
    const result = this.run(compiled);
    return result.ok
      ? result.value
      : new CelFailure(`composited variable "${name}" fails to evaluate: ${result.error}`);
  }
}
