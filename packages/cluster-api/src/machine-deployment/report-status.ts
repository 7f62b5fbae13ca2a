import {
  type ConditionTarget,
  edit,
  getV1beta1Condition,
  markFalse,
  markTrue,
  pausedCondition,
  setCondition,
  setV1beta1Condition,
  setV1beta1Summary,
  type V1beta1Conditioned,
  type V1beta1Target,
} from '@slipway/runtime';
import { missingTemplates } from '../machine-templates/index.js';
import { nameOf } from '../machines/index.js';
import { deploymentConditions } from './deployment-conditions.js';
import type { DeploymentPass } from './deployment-pass.js';
import { deploymentCounters } from './deployment-status.js';
import { rolloutLimits } from './rollout-limits.js';
import type { ObservedDeployment, ObservedMachineSet } from './rollout-plan.js';

/** All types that this controller writes on a MachineDeployment, of both styles. */
export const ownedConditions = [
  'Paused',
  'Available',
  'RollingOut',
  'ScalingUp',
  'ScalingDown',
  'MachinesReady',
  'MachinesUpToDate',
  'Remediating',
  'Deleting',
  'Ready',
  'MachineSetReady',
] as const;

/** The deployment with the status that follows from the pass. Its generation counts as observed only when nothing failed. */
export function reportStatus(pass: DeploymentPass, failed: boolean): ObservedDeployment {
  const { deployment, machineSets, machines, context, cluster, newMachineSet } = pass;
  const nowMs = context.clock.now();
  const { deprecated, ...counters } = deploymentCounters(deployment, machineSets, newMachineSet);
  const missing = pass.templates === undefined ? {} : missingTemplates(pass.templates);
  const conditions = deploymentConditions({ deployment, machineSets, machines, missing, nowMs });
  const current = machineSets.find((set) => nameOf(set) === newMachineSet);
  return edit(deployment, (draft) => {
    const { generation } = draft.metadata;
    const status = (draft.status ??= {});
    Object.assign(status, counters);
    if (!failed && generation !== undefined) status.observedGeneration = generation;
    status.deprecated = { ...status.deprecated, v1beta1: { ...status.deprecated?.v1beta1, ...deprecated.v1beta1 } };
    for (const condition of [...conditions, pausedCondition(deployment, cluster)])
      setCondition(draft as ConditionTarget, condition, nowMs);
    setDeprecatedConditions(draft as V1beta1Target, {
      available: deprecated.v1beta1.availableReplicas,
      required: rolloutLimits(deployment).minAvailable,
      current,
      nowMs,
    });
  });
}

interface DeprecatedInput {
  readonly available: number;
  readonly required: number;
  readonly current: ObservedMachineSet | undefined;
  readonly nowMs: number;
}

function setDeprecatedConditions(
  target: V1beta1Target,
  { available, required, current, nowMs }: DeprecatedInput,
): void {
  if (available >= required) markTrue(target, 'Available', nowMs);
  else {
    const message = `Minimum availability requires ${required} replicas, current ${available} available`;
    markFalse(target, 'Available', { reason: 'WaitingForAvailableMachines', severity: 'Warning', message }, nowMs);
  }
  if (current !== undefined) {
    const ready = getV1beta1Condition(current as V1beta1Conditioned, 'Ready');
    const waiting = { status: 'False', reason: 'WaitingForMachineSetFallback', severity: 'Info' } as const;
    setV1beta1Condition(target, { ...(ready ?? waiting), type: 'MachineSetReady' }, nowMs);
  }
  setV1beta1Summary(target, { types: ['Available', 'MachineSetReady'] }, nowMs);
}
