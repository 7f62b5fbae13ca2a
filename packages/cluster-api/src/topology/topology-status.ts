import type { Frozen } from '@slipway/kube';
import { edit, setCondition, type StatusChange } from '@slipway/runtime';
import { type Cluster, clusters } from '../api/index.js';
import { setV1beta1Condition, type V1beta1Target } from '../toolkit/index.js';
import { topologyCondition, topologyReconciledCondition, type TopologyOutcome } from './topology-condition.js';
import type { UpgradeState } from './upgrade/upgrade-tracker.js';

/** Returns the status patch with the TopologyReconciled condition and the upgrade plan. */
export function topologyStatusChange(outcome: TopologyOutcome, nowMs: number): StatusChange<Cluster> {
  const { cluster, upgrade } = outcome;
  const { oldReason, severity, ...condition } = topologyCondition(outcome);
  const after = edit(cluster, (draft) => {
    setCondition(draft, condition, nowMs);
    const { type, status, reason, message } = condition;
    const cause = status === 'True' ? {} : { severity, reason: oldReason ?? reason, message };
    setV1beta1Condition(draft as V1beta1Target, { type, status, ...cause }, nowMs);
    if (upgrade !== undefined) setUpgradePlan(draft, upgrade);
  });
  return {
    verb: 'status',
    resource: clusters,
    before: cluster,
    after: after as Frozen<Cluster>,
    ownedConditions: [topologyReconciledCondition],
    reason: condition.reason,
    message: condition.message === '' ? 'Updated status' : condition.message,
  };
}

function setUpgradePlan(draft: Cluster, { controlPlanePlan, machineDeployments, machinePools }: UpgradeState): void {
  // MachinePools are upgraded after MachineDeployments, so their plan is the last to become empty.
  const workersPlan = machinePools.plan.length > 0 ? machinePools.plan : machineDeployments.plan;
  draft.status ??= {};
  for (const [part, plan] of [['controlPlane', controlPlanePlan] as const, ['workers', workersPlan] as const]) {
    if (plan.length > 0) {
      draft.status[part] ??= {};
      draft.status[part].upgradePlan = plan.map((version) => ({ version }));
    } else if (draft.status[part] !== undefined) delete draft.status[part].upgradePlan;
  }
}
