import { type ConditionSeverity, setV1beta1Condition, type V1beta1Target } from '@slipway/cluster-api';
import type { ConditionTarget, NewCondition } from '@slipway/runtime';
import { setCondition } from '@slipway/runtime';

/** A condition and its deprecated v1beta1 counterpart. */
export interface BothConditions {
  readonly type: string;
  readonly oldType: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
  /** Reason and severity of the deprecated condition, if they differ from the current one. */
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
