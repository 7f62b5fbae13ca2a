import { reasons } from '@slipway/cluster-api';
import {
  type Conditioned,
  type ConditionTarget,
  type NewCondition,
  reasonByWorst,
  ReconcileError,
  retry,
  setCondition,
  setV1beta1Condition,
  summaryCondition,
  type V1beta1State,
  type V1beta1Target,
} from '@slipway/runtime';
import { vsphereConditions, vsphereV1Beta1Conditions } from '../api/index.js';
import type { VmWaiting } from './vm-service.js';

const { virtualMachineProvisioned, ready } = vsphereConditions;

/** The conditions of a VSphereMachine that this controller writes, in both styles. */
export const ownedMachineConditions = [
  'Paused',
  ready,
  virtualMachineProvisioned,
  vsphereV1Beta1Conditions.vmProvisioned,
];

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);

export interface ProvisionedState {
  readonly condition: Pick<NewCondition, 'status' | 'reason' | 'message'>;
  readonly old: V1beta1State;
}

export const provisionedState: ProvisionedState = {
  condition: { status: 'True', reason: reasons.provisioned },
  old: { status: 'True' },
};

/** Says on a draft how far the virtual machine is, and sums it up. */
export function reportMachine(draft: object, { condition, old }: ProvisionedState, nowMs: number): void {
  setCondition(draft as ConditionTarget, { type: virtualMachineProvisioned, ...condition }, nowMs);
  const summary = summaryCondition(draft as Conditioned, ready, {
    types: [virtualMachineProvisioned],
    strategy: { reasonOf },
  });
  setCondition(draft as ConditionTarget, summary, nowMs);
  setV1beta1Condition(draft as V1beta1Target, { type: vsphereV1Beta1Conditions.vmProvisioned, ...old }, nowMs);
  setV1beta1Condition(draft as V1beta1Target, { type: ready, ...old }, nowMs);
}

/** What a failure looks like to the user: an expected one has words of its own. */
export function failedState(error: unknown, oldReason: string): VmWaiting {
  const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
  const reason = cause instanceof ReconcileError ? cause.reason : reasons.notProvisioned;
  return {
    type: 'waiting',
    condition: { status: 'False', reason, message: cause.message },
    old: { status: 'False', reason: oldReason, severity: 'Warning', message: cause.message },
    outcome: retry(cause),
  };
}
