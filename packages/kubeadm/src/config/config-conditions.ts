import {
  type ConditionSeverity,
  internalErrorMessage,
  markFalse,
  markTrue,
  reasonByWorst,
  reasons,
  setV1beta1Condition,
  summaryCondition,
  type V1beta1Condition,
  type V1beta1Target,
} from '@slipway/cluster-api';
import { type Conditioned, type ConditionTarget, setCondition } from '@slipway/runtime';
import { kubeadmConditions } from '../api/index.js';

const { certificatesAvailable, dataSecretAvailable } = kubeadmConditions;

/** The conditions that only this controller writes. */
export const ownedConfigConditions = ['Ready', certificatesAvailable, dataSecretAvailable, 'Paused'] as const;

/** Reasons of the deprecated v1beta1 conditions. The v1beta2 conditions report the same in their message. */
export const configReasons = {
  waitingForClusterInfrastructure: 'WaitingForClusterInfrastructure',
  waitingForControlPlaneAvailable: 'WaitingForControlPlaneAvailable',
  dataSecretGenerationFailed: 'DataSecretGenerationFailed',
  certificatesGenerationFailed: 'CertificatesGenerationFailed',
  certificatesCorrupted: 'CertificatesCorrupted',
} as const;

export interface Unavailable {
  readonly message: string;
  /** Reason of the deprecated v1beta1 condition. */
  readonly reason: (typeof configReasons)[keyof typeof configReasons];
  readonly severity: ConditionSeverity;
}

/**
 * A draft of a KubeadmConfig. In the schema, the status of v1beta1 conditions is any string. The setters accept only
 * the three valid values.
 */
export type ConditionDraft = ConditionTarget & { status?: { deprecated?: { v1beta1?: object } } };
type Target = ConditionTarget & V1beta1Target;

export function setDataSecretAvailable(target: ConditionDraft, nowMs: number): void {
  setAvailable(target, dataSecretAvailable, nowMs);
}

export function setDataSecretUnavailable(target: ConditionDraft, why: Unavailable, nowMs: number): void {
  setUnavailable(target, dataSecretAvailable, why, nowMs);
}

export function setCertificatesAvailable(target: ConditionDraft, nowMs: number): void {
  setAvailable(target, certificatesAvailable, nowMs);
}

export function setCertificatesUnavailable(target: ConditionDraft, why: Unavailable, nowMs: number): void {
  setUnavailable(target, certificatesAvailable, why, nowMs);
}

/** Reports an internal error that the user did not cause. The details are in the log. */
export function setDataSecretUnknown(target: ConditionDraft, nowMs: number): void {
  setCondition(
    target,
    {
      type: dataSecretAvailable,
      status: 'Unknown',
      reason: reasons.internalError,
      message: internalErrorMessage,
    },
    nowMs,
  );
}

function setAvailable(draft: ConditionDraft, type: string, nowMs: number): void {
  const target = draft as Target;
  setCondition(target, { type, status: 'True', reason: reasons.available }, nowMs);
  markTrue(target, type, nowMs);
}

function setUnavailable(draft: ConditionDraft, type: string, why: Unavailable, nowMs: number): void {
  const target = draft as Target;
  const { message, reason, severity } = why;
  setCondition(target, { type, status: 'False', reason: reasons.notAvailable, message }, nowMs);
  // Upstream has no v1beta1 message here. The severity Info shows that it is not an error.
  markFalse(target, type, { reason, severity, message: severity === 'Info' ? '' : message }, nowMs);
}

const summarized = [dataSecretAvailable, certificatesAvailable] as const;

/** Summarizes the conditions that were set before into Ready, in both styles. */
export function summarizeConfig(draft: ConditionDraft, nowMs: number): void {
  const target = draft as Target;
  const strategy = { reasonOf: reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready) };
  setCondition(target, summaryCondition(target as Conditioned, 'Ready', { types: summarized, strategy }), nowMs);
  const [worst] = summarized
    .flatMap((type) => target.status?.deprecated?.v1beta1?.conditions?.filter((each) => each.type === type) ?? [])
    .sort((left, right) => rankOf(left) - rankOf(right));
  if (worst !== undefined) setV1beta1Condition(target, readyFrom(worst), nowMs);
}

function readyFrom(worst: V1beta1Condition): Omit<V1beta1Condition, 'lastTransitionTime'> {
  if (worst.status === 'True') return { type: 'Ready', status: 'True' };
  const { lastTransitionTime: _time, ...state } = worst;
  return { ...state, type: 'Ready' };
}

const severityRank: Readonly<Record<ConditionSeverity, number>> = { Error: 0, Warning: 1, Info: 2 };

function rankOf({ status, severity }: Pick<V1beta1Condition, 'status' | 'severity'>): number {
  if (status === 'False') return severityRank[severity ?? 'Info'];
  return status === 'True' ? 3 : 4;
}
