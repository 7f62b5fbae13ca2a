import type { Frozen } from '@slipway/kube';
import {
  edit,
  patchObject,
  type ReconcileContext,
  setCondition,
  setV1beta1Condition,
  type V1beta1Target,
} from '@slipway/runtime';
import { type Cluster, clusters } from '../api/index.js';
import { topologyCondition, topologyReconciledCondition, type TopologyOutcome } from './topology-condition.js';
import type { UpgradeState } from './upgrade/upgrade-tracker.js';

/** Writes the condition and the plan of an upgrade; nothing when they say the same already. */
export async function writeTopologyStatus(
  { client, clock, signal }: Pick<ReconcileContext, 'client' | 'clock' | 'signal'>,
  outcome: TopologyOutcome,
): Promise<void> {
  const { cluster, upgrade } = outcome;
  const { oldReason, severity, ...condition } = topologyCondition(outcome);
  const nowMs = clock.now();
  const after = edit(cluster, (draft) => {
    setCondition(draft, condition, nowMs);
    const { type, status, reason, message } = condition;
    const cause = status === 'True' ? {} : { severity, reason: oldReason ?? reason, message };
    setV1beta1Condition(draft as V1beta1Target, { type, status, ...cause }, nowMs);
    if (upgrade !== undefined) setUpgradePlan(draft, upgrade);
  });
  const ownedConditions = [topologyReconciledCondition];
  await patchObject(client, clusters, cluster, after as Frozen<Cluster>, { ownedConditions, signal });
}

function setUpgradePlan(draft: Cluster, { controlPlanePlan, machineDeployments, machinePools }: UpgradeState): void {
  // Pools come after deployments, so their plan is the one that lasts.
  const workersPlan = machinePools.plan.length > 0 ? machinePools.plan : machineDeployments.plan;
  draft.status ??= {};
  for (const [part, plan] of [['controlPlane', controlPlanePlan] as const, ['workers', workersPlan] as const]) {
    if (plan.length > 0) {
      draft.status[part] ??= {};
      draft.status[part].upgradePlan = plan.map((version) => ({ version }));
    } else if (draft.status[part] !== undefined) delete draft.status[part].upgradePlan;
  }
}
