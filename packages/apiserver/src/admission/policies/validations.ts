import type { ExpressionBindings, Frozen, KubeObject } from '@slipway/kube';
import { PolicyEvaluation } from './policy-evaluation.js';
import type { Validation, ValidatingPolicy } from './policy.js';

/** A failed validation. */
export interface Decision {
  readonly message: string;
  readonly reason: string;
  /**
   * Whether to deny the request regardless of the binding's validationActions. True if an audit annotation failed to evaluate.
   */
  readonly always: boolean;
}

const messageBytesMax = 5 * 1024;

/** Returns the failed validations of the policy for the request and parameter. */
export function evaluateValidations(
  policy: ValidatingPolicy,
  bindings: ExpressionBindings,
  param: Frozen<KubeObject> | undefined,
): readonly Decision[] {
  const evaluation = new PolicyEvaluation(policy, bindings, param);
  const outcome = evaluation.conditions();
  if (outcome === 'noMatch') return [];
  const failed = (message: string, always = false): readonly Decision[] =>
    policy.ignoresFailure ? [] : [{ message, reason: 'Invalid', always }];
  if (outcome !== 'match') return failed(outcome.error);
  const decisions = policy.validations.flatMap((validation) => {
    const result = evaluation.run(validation.expression);
    if (!result.ok) return failed(result.error);
    if (result.value === true) return [];
    return [{ message: failureMessage(validation, evaluation), reason: validation.reason, always: false }];
  });
  const annotations = policy.auditAnnotations.flatMap((annotation) => {
    const result = evaluation.run(annotation);
    return result.ok ? [] : failed(result.error, true);
  });
  return [...decisions, ...annotations];
}

/** Returns the result of messageExpression if it is valid, otherwise the message, otherwise the expression itself. */
function failureMessage(validation: Validation, evaluation: PolicyEvaluation): string {
  const computed =
    validation.messageExpression === undefined ? undefined : evaluation.run(validation.messageExpression);
  const text = computed?.ok === true && typeof computed.value === 'string' ? computed.value.trim() : '';
  if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= messageBytesMax) return text;
  return validation.message || `failed expression: ${validation.expression.text.trim()}`;
}
