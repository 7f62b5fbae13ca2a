import { formatTime } from '@slipway/kube';
import type { ConditionStatus } from '@slipway/runtime';

export type ConditionSeverity = 'Error' | 'Warning' | 'Info';

/**
 * A condition in the v1beta1 style, under `status.deprecated.v1beta1.conditions`. One style is never converted into the other.
 */
export interface V1beta1Condition {
  type: string;
  status: ConditionStatus;
  severity?: ConditionSeverity;
  lastTransitionTime: string;
  reason?: string;
  message?: string;
}

export type NewV1beta1Condition = Omit<V1beta1Condition, 'lastTransitionTime'> &
  Partial<Pick<V1beta1Condition, 'lastTransitionTime'>>;

export interface V1beta1Target {
  status?: { deprecated?: { v1beta1?: { conditions?: V1beta1Condition[] } } };
}

export interface V1beta1Conditioned {
  readonly status?: {
    readonly deprecated?: { readonly v1beta1?: { readonly conditions?: readonly Readonly<V1beta1Condition>[] } };
  };
}

export function getV1beta1Condition(object: V1beta1Conditioned, type: string): Readonly<V1beta1Condition> | undefined {
  return object.status?.deprecated?.v1beta1?.conditions?.find((condition) => condition.type === type);
}

/**
 * Sets a deprecated condition. In this style, a change of any field changes the transition time. Ready is the first in the list.
 */
export function setV1beta1Condition(target: V1beta1Target, condition: NewV1beta1Condition, nowMs: number): void {
  target.status ??= {};
  target.status.deprecated ??= {};
  target.status.deprecated.v1beta1 ??= {};
  const holder = target.status.deprecated.v1beta1;
  const existing = holder.conditions?.find(({ type }) => type === condition.type);
  if (existing !== undefined && sameV1beta1State(existing, condition)) return;
  const given = existing === undefined ? condition.lastTransitionTime : undefined;
  const next: V1beta1Condition = { ...withoutEmpty(condition), lastTransitionTime: given ?? formatTime(nowMs) };
  const others = (holder.conditions ?? []).filter(({ type }) => type !== condition.type);
  holder.conditions = [...others, next].sort(compareV1beta1);
}

export function markTrue(target: V1beta1Target, type: string, nowMs: number): void {
  setV1beta1Condition(target, { type, status: 'True' }, nowMs);
}

export function markFalse(
  target: V1beta1Target,
  type: string,
  cause: { readonly reason: string; readonly severity: ConditionSeverity; readonly message: string },
  nowMs: number,
): void {
  setV1beta1Condition(target, { type, status: 'False', ...cause }, nowMs);
}

export function markUnknown(
  target: V1beta1Target,
  type: string,
  cause: { readonly reason: string; readonly message: string },
  nowMs: number,
): void {
  setV1beta1Condition(target, { type, status: 'Unknown', ...cause }, nowMs);
}

/** Omits empty strings, which the schemas of this style reject. */
function withoutEmpty(condition: NewV1beta1Condition): NewV1beta1Condition {
  const { reason = '', message = '', ...rest } = condition;
  return { ...rest, ...(reason !== '' && { reason }), ...(message !== '' && { message }) };
}

function sameV1beta1State(left: Readonly<V1beta1Condition>, right: NewV1beta1Condition): boolean {
  return (
    left.status === right.status &&
    (left.reason ?? '') === (right.reason ?? '') &&
    (left.severity ?? '') === (right.severity ?? '') &&
    (left.message ?? '') === (right.message ?? '')
  );
}

function compareV1beta1(left: { readonly type: string }, right: { readonly type: string }): number {
  if (left.type === right.type) return 0;
  if (left.type === 'Ready') return -1;
  if (right.type === 'Ready') return 1;
  return left.type < right.type ? -1 : 1;
}
