import { type ConditionTarget, markFalse, markTrue, setCondition, type V1beta1Target } from '@slipway/runtime';
import { reasons } from '../api/index.js';

export interface ClaimProblem {
  readonly reason: 'AllocationFailed' | 'PoolNotReady' | 'PoolExhausted';
  readonly message: string;
}

type Draft = ConditionTarget & { status?: { deprecated?: { v1beta1?: object } } };

/** Ready, in both styles: the claim has its address, or why it has none. */
export function setClaimReady(draft: Draft, problem: ClaimProblem | undefined, nowMs: number): void {
  const target = draft as ConditionTarget & V1beta1Target;
  if (problem === undefined) {
    setCondition(target, { type: 'Ready', status: 'True', reason: reasons.ready }, nowMs);
    markTrue(target, 'Ready', nowMs);
    return;
  }
  const { reason, message } = problem;
  setCondition(target, { type: 'Ready', status: 'False', reason, message }, nowMs);
  markFalse(target, 'Ready', { reason, severity: reason === 'AllocationFailed' ? 'Error' : 'Warning', message }, nowMs);
}
