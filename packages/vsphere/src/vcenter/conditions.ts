import type { ConditionSeverity, ConditionTarget, NewCondition, V1beta1Target } from '@slipway/runtime';
import { setCondition, setV1beta1Condition } from '@slipway/runtime';

/** One fact in both styles of conditions. */
export interface BothConditions {
  readonly type: string;
  readonly oldType: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
  /** The old style's reason, where it has another, and how bad it is. */
  readonly old?: readonly [string, ConditionSeverity];
}

export function setBothConditions(draft: object, state: BothConditions, nowMs: number): void {
  const { type, oldType, status, reason, message = '' } = state;
  const condition: NewCondition = { type, status, reason, message };
  setCondition(draft as ConditionTarget, condition, nowMs);
  const [oldReason, severity] = state.old ?? [reason, 'Error'];
  const old = status === 'True' ? { status } : { status, reason: oldReason, severity, message };
  setV1beta1Condition(draft as V1beta1Target, { type: oldType, ...old }, nowMs);
}
