import { formatTime, type Frozen, type KubeObject, scaleIntOrPercent, timeOf } from '@slipway/kube';
import { fields, type Fields, list, number, text } from '../../kinds/shared/fields.js';

/** How long an evicted pod that still exists counts as disrupted. */
const disruptionMs = 120_000;

export interface BudgetStatus {
  readonly status: Fields;
  /** Time until the next entry of disruptedPods expires; undefined if there is none. */
  readonly againMs: number | undefined;
}

/** Computes the status of a budget. Calls `expected` only for maxUnavailable and for a percentage in minAvailable. */
export function budgetStatus(
  budget: Frozen<KubeObject>,
  pods: readonly Frozen<KubeObject>[],
  expected: () => number,
  now: number,
): BudgetStatus {
  const before = fields(budget['status']);
  const { kept, againMs } = stillDisrupted(fields(before['disruptedPods']), pods, now);
  const currentHealthy = pods.filter((pod) => isHealthy(pod) && kept[pod.metadata.name ?? ''] === undefined).length;
  const { expectedCount, desiredHealthy } = desiredHealthyOf(fields(budget['spec']), pods.length, expected);
  const disruptionsAllowed = expectedCount <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const status: Fields = {
    ...before,
    currentHealthy,
    desiredHealthy,
    expectedPods: expectedCount,
    disruptionsAllowed,
    observedGeneration: number(budget.metadata.generation),
    conditions: withCondition(before, conditionFor(disruptionsAllowed), budget, now),
  };
  if (Object.keys(kept).length > 0) status['disruptedPods'] = kept;
  else delete status['disruptedPods'];
  return { status, againMs };
}

/** Returns the status of a budget whose expected number of pods is unknown. It allows no disruptions. */
export function failedStatus(budget: Frozen<KubeObject>, message: string, now: number): Fields {
  const before = fields(budget['status']);
  const condition = { status: 'False', reason: 'SyncFailed', message } as const;
  return {
    ...before,
    disruptionsAllowed: 0,
    observedGeneration: number(budget.metadata.generation),
    conditions: withCondition(before, condition, budget, now),
  };
}

function desiredHealthyOf(
  spec: Fields,
  podCount: number,
  expected: () => number,
): { readonly expectedCount: number; readonly desiredHealthy: number } {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expectedCount = expected();
    const unavailable = scaleIntOrPercent(amount(maxUnavailable), expectedCount, 'up');
    return { expectedCount, desiredHealthy: Math.max(0, expectedCount - unavailable) };
  }
  if (typeof minAvailable === 'string') {
    const expectedCount = expected();
    return { expectedCount, desiredHealthy: scaleIntOrPercent(minAvailable, expectedCount, 'up') };
  }
  return { expectedCount: podCount, desiredHealthy: minAvailable === undefined ? 0 : number(minAvailable) };
}

function amount(value: unknown): number | string {
  return typeof value === 'string' ? value : number(value);
}

function isHealthy(pod: Frozen<KubeObject>): boolean {
  if ((pod.metadata.deletionTimestamp ?? '') !== '') return false;
  return list(fields(pod['status'])['conditions']).some(({ type, status }) => type === 'Ready' && status === 'True');
}

function stillDisrupted(
  disrupted: Fields,
  pods: readonly Frozen<KubeObject>[],
  now: number,
): { readonly kept: Fields; readonly againMs: number | undefined } {
  const kept: Fields = Object.create(null) as Fields;
  let againMs: number | undefined;
  for (const pod of pods) {
    const name = pod.metadata.name ?? '';
    if (!Object.hasOwn(disrupted, name) || (pod.metadata.deletionTimestamp ?? '') !== '') continue;
    const leftMs = (timeOf(disrupted[name]) ?? 0) + disruptionMs - now;
    if (leftMs <= 0) continue;
    kept[name] = disrupted[name];
    againMs = Math.min(againMs ?? leftMs, leftMs);
  }
  return { kept, againMs };
}

interface Finding {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function conditionFor(allowed: number): Finding {
  return allowed > 0
    ? { status: 'True', reason: 'SufficientPods', message: '' }
    : { status: 'False', reason: 'InsufficientPods', message: '' };
}

function withCondition(before: Fields, finding: Finding, budget: Frozen<KubeObject>, now: number): Fields[] {
  const conditions = list(before['conditions']);
  const known = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = known?.['status'] === finding.status ? text(known['lastTransitionTime']) : formatTime(now);
  const observedGeneration = number(budget.metadata.generation);
  const condition = { type: 'DisruptionAllowed', ...finding, observedGeneration, lastTransitionTime };
  return [...conditions.filter((other) => other !== known), condition];
}
