import {
  getV1beta1Condition,
  setV1beta1Condition,
  type V1beta1Condition,
  type V1beta1Conditioned,
  type V1beta1Target,
} from './v1beta1.js';

export interface V1beta1SummaryOptions {
  /** In order of relevance; those that are not there do not count. */
  readonly types: readonly string[];
  /** Tell `1 of 2 completed` instead of the worst message, as long as no other condition is there than these. */
  readonly steps?: readonly string[];
}

/** Sets the deprecated Ready condition to the worst of others. Nothing when there are none. */
export function setV1beta1Summary(target: V1beta1Target, options: V1beta1SummaryOptions, nowMs: number): void {
  const present = options.types.flatMap((type) => getV1beta1Condition(target as V1beta1Conditioned, type) ?? []);
  const rank = Math.min(...present.map(rankOf));
  const worst = present.find((condition) => rankOf(condition) === rank);
  if (worst === undefined) return;
  if (worst.status === 'True') return setV1beta1Condition(target, { type: 'Ready', status: 'True' }, nowMs);
  const { status, severity, reason, message } = worst;
  const told = stepsText(present, options.steps) ?? message;
  const causes = { ...(severity && { severity }), ...(reason && { reason }), ...(told && { message: told }) };
  setV1beta1Condition(target, { type: 'Ready', status, ...causes }, nowMs);
}

const falseRanks: Readonly<Record<string, number>> = { Error: 0, Warning: 1, Info: 2 };

/** What is unknown counts for less than what is known to be well: old clients take it for noise. */
function rankOf({ status, severity }: Readonly<V1beta1Condition>): number {
  if (status === 'False') return falseRanks[severity ?? ''] ?? 5;
  return status === 'True' ? 3 : 4;
}

function stepsText(
  present: readonly Readonly<V1beta1Condition>[],
  steps: readonly string[] | undefined,
): string | undefined {
  if (steps === undefined || present.some(({ type }) => !steps.includes(type))) return undefined;
  return `${present.filter(({ status }) => status === 'True').length} of ${steps.length} completed`;
}
