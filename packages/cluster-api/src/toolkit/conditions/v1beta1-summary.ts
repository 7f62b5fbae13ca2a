import {
  getV1beta1Condition,
  setV1beta1Condition,
  type V1beta1Condition,
  type V1beta1Conditioned,
  type V1beta1Target,
} from './v1beta1.js';

export interface V1beta1SummaryOptions {
  /** Condition types to summarize, in order of relevance. Missing conditions are ignored. */
  readonly types: readonly string[];
  /** Condition types for a message such as `1 of 2 completed`, used instead of the worst message if no other conditions exist. */
  readonly steps?: readonly string[];
}

/** A deprecated condition without its type. */
export type V1beta1State = Pick<V1beta1Condition, 'status' | 'severity' | 'reason' | 'message'>;

/** Sets the deprecated Ready condition to the worst of the other conditions. Does nothing if there are none. */
export function setV1beta1Summary(target: V1beta1Target, options: V1beta1SummaryOptions, nowMs: number): void {
  const ready = summarizeV1beta1(target as V1beta1Conditioned, options);
  if (ready !== undefined) setV1beta1Condition(target, { type: 'Ready', ...ready }, nowMs);
}

/** Returns the worst existing condition. Undefined if there are none. */
export function summarizeV1beta1(object: V1beta1Conditioned, options: V1beta1SummaryOptions): V1beta1State | undefined {
  const present = options.types.flatMap((type) => getV1beta1Condition(object, type) ?? []);
  const worst = worstV1beta1(present);
  return worst && stateV1beta1(worst, stepsText(present, options.steps) ?? worst.message);
}

/** Returns the worst condition, the first one among equals. */
export function worstV1beta1<T extends Pick<V1beta1Condition, 'status' | 'severity'>>(
  conditions: readonly Readonly<T>[],
): Readonly<T> | undefined {
  const rank = Math.min(...conditions.map(rankOf));
  return conditions.find((condition) => rankOf(condition) === rank);
}

/**
 * Returns the state without reason and severity if it is True. Empty strings are omitted: the schemas require at least one
 * character.
 */
export function stateV1beta1({ status, severity, reason }: V1beta1State, message: string | undefined): V1beta1State {
  if (status === 'True') return { status };
  return { status, ...(severity && { severity }), ...(reason && { reason }), ...(message && { message }) };
}

const falseRanks: Readonly<Record<string, number>> = { Error: 0, Warning: 1, Info: 2 };

/** Returns the rank by severity. Unknown ranks below True: v1beta1 clients ignore it. */
function rankOf({ status, severity }: Pick<V1beta1Condition, 'status' | 'severity'>): number {
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
