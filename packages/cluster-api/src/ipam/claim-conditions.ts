import { type ConditionTarget, setCondition } from '@slipway/runtime';
import { reasons } from '../api/index.js';
import { markFalse, markTrue, type V1beta1Target } from '../toolkit/index.js';

export interface ClaimProblem {
  readonly reason: 'AllocationFailed' | 'PoolNotReady' | 'PoolExhausted';
  readonly message: string;
}

type Draft = ConditionTarget & { status?: { deprecated?: { v1beta1?: object } } };

/** Sets the Ready condition in both styles: True if the claim has its address, otherwise the problem. */
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
