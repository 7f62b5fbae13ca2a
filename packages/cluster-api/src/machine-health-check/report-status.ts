import {
  type ConditionTarget,
  edit,
  ensureOwnerReference,
  markFalse,
  markTrue,
  type NewCondition,
  ownerReference,
  pausedCondition,
  setCondition,
  type V1beta1Target,
} from '@slipway/runtime';
import { labels } from '../api/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { HealthCheckPlan } from './health-check-plan.js';
import type { ObservedHealthCheck } from './target-health.js';

/** All types that this controller writes on a MachineHealthCheck. */
export const ownedConditions = ['Paused', 'RemediationAllowed'] as const;

/** A check belongs to its Cluster. */
export function owned(healthCheck: ObservedHealthCheck, cluster: ObservedCluster | undefined): ObservedHealthCheck {
  return edit(healthCheck, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
  });
}

/** The check with what the plan found. */
export function reported(
  healthCheck: ObservedHealthCheck,
  cluster: ObservedCluster | undefined,
  { status: counters, condition }: HealthCheckPlan,
  options: { readonly failed: boolean; readonly nowMs: number },
): ObservedHealthCheck {
  const { failed, nowMs } = options;
  const { expectedMachines, currentHealthy, remediationsAllowed, targets } = counters;
  return edit(healthCheck, (draft) => {
    const { generation } = draft.metadata;
    const status = (draft.status ??= {});
    Object.assign(status, { expectedMachines, currentHealthy, remediationsAllowed, targets: [...targets] });
    if (!failed && generation !== undefined) status.observedGeneration = generation;
    for (const each of [condition, pausedCondition(healthCheck, cluster)])
      setCondition(draft as ConditionTarget, each, nowMs);
    const target = draft as V1beta1Target;
    if (condition.status === 'True') markTrue(target, 'RemediationAllowed', nowMs);
    else {
      const { reason, message = '' } = condition;
      markFalse(target, 'RemediationAllowed', { reason, severity: 'Warning', message }, nowMs);
    }
  });
}

/** The check when nothing could be looked at. */
export function undecided(
  healthCheck: ObservedHealthCheck,
  condition: Omit<NewCondition, 'type' | 'status'>,
  nowMs: number,
): ObservedHealthCheck {
  return edit(healthCheck, (draft) =>
    setCondition(draft as ConditionTarget, { type: 'RemediationAllowed', status: 'Unknown', ...condition }, nowMs),
  );
}
