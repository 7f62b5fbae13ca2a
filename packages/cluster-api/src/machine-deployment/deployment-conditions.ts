import { getCondition, type NewCondition } from '@slipway/runtime';
import { reasons } from '../api/index.js';
import {
  deletingCondition,
  isDeleting,
  machinesReadyCondition,
  machinesUpToDateCondition,
  type MissingTemplates,
  missingTemplatesMessage,
  type ObservedMachine,
  remediatingCondition,
  scalingDownCondition,
  scalingUpCondition,
} from '../machines/index.js';
import { maxUnavailableText, rolloutLimits, strategyOf } from './rollout-limits.js';
import type { ObservedDeployment, ObservedMachineSet } from './rollout-plan.js';
import { sumOf } from './set-counts.js';

export interface DeploymentConditionsInput {
  readonly deployment: ObservedDeployment;
  readonly machineSets: readonly ObservedMachineSet[];
  /** All machines of all sets. */
  readonly machines: readonly ObservedMachine[];
  readonly missing: MissingTemplates;
  readonly nowMs: number;
}

/** The conditions that follow from what was observed; `Paused` is set where pausing is decided. */
export function deploymentConditions(input: DeploymentConditionsInput): NewCondition[] {
  const { deployment, machineSets, machines, nowMs } = input;
  const deleting = isDeleting(deployment);
  const scaling = {
    desired: deployment.spec.replicas === undefined || !deleting ? deployment.spec.replicas : 0,
    current: sumOf(machineSets, (set) => set.status?.replicas ?? 0),
  };
  const leftovers = machineSets.length > 0 ? `Deleting ${machineSets.length} MachineSets` : '';
  return [
    availableCondition(deployment, machineSets),
    rollingOutCondition(machines),
    scalingUpCondition(scaling, scalingUpTexts(input.missing, deleting)),
    scalingDownCondition(scaling, machines, nowMs),
    machinesReadyCondition(machines),
    machinesUpToDateCondition(machines, nowMs),
    remediatingCondition(machines),
    deletingCondition(deleting, machines, nowMs, leftovers),
  ];
}

function scalingUpTexts(missing: MissingTemplates, deleting: boolean): { blocked: string; wouldBeBlocked: string } {
  const message = missingTemplatesMessage(missing);
  if (message === '') return { blocked: '', wouldBeBlocked: '' };
  const wouldBeBlocked = deleting ? '' : `Scaling up would be blocked because ${message}`;
  return { blocked: ` is blocked because ${message}`, wouldBeBlocked };
}

function availableCondition(deployment: ObservedDeployment, sets: readonly ObservedMachineSet[]): NewCondition {
  const type = 'Available';
  if (deployment.spec.replicas === undefined) {
    const message = 'Waiting for spec.replicas set';
    return { type, status: 'Unknown', reason: reasons.waitingForReplicasSet, message };
  }
  if (sets.length > 0 && sets.every((set) => set.status?.availableReplicas === undefined)) {
    const message = 'Waiting for status.availableReplicas set';
    return { type, status: 'Unknown', reason: reasons.waitingForAvailableReplicasSet, message };
  }
  const available = sumOf(sets, (set) => set.status?.availableReplicas ?? 0);
  const { minAvailable, replicas } = rolloutLimits(deployment);
  if (available >= minAvailable) return { type, status: 'True', reason: reasons.available };
  const why =
    strategyOf(deployment) === 'RollingUpdate'
      ? ` (spec.strategy.rollout.maxUnavailable is ${maxUnavailableText(deployment)}, spec.replicas is ${replicas})`
      : '';
  const message = isDeleting(deployment)
    ? 'Deletion in progress'
    : `${available} available replicas, at least ${minAvailable} required${why}`;
  return { type, status: 'False', reason: reasons.notAvailable, message };
}

const versionLine = /^\* Version/;

/** Machines say themselves why they are not up to date; the deployment repeats each cause once, versions first. */
function rollingOutCondition(machines: readonly ObservedMachine[]): NewCondition {
  const outdated = machines
    .map((machine) => getCondition(machine, 'UpToDate'))
    .filter((condition) => condition?.status === 'False');
  if (outdated.length === 0) return { type: 'RollingOut', status: 'False', reason: reasons.notRollingOut };
  const lines = new Set(outdated.flatMap((condition) => (condition?.message ?? '').split('\n')).filter(Boolean));
  const sorted = [...lines].sort((left, right) => {
    const [a, b] = [versionLine.test(left), versionLine.test(right)];
    if (a !== b) return a ? -1 : 1;
    return left < right ? -1 : 1;
  });
  const message = [`Rolling out ${outdated.length} not up-to-date replicas`, ...sorted].join('\n');
  return { type: 'RollingOut', status: 'True', reason: reasons.rollingOut, message };
}
