import { labelSelectorFromObject } from '@slipway/kube';
import {
  type ConditionTarget,
  edit,
  getCondition,
  type NewCondition,
  setCondition,
  type Summaries,
} from '@slipway/runtime';
import { reasons } from '../api/index.js';
import { missingTemplates } from '../machine-templates/index.js';
import {
  deletingCondition,
  isDeleting,
  machinesReadyCondition,
  machinesUpToDateCondition,
  type MissingTemplates,
  missingTemplatesMessage,
  nameOf,
  type ObservedMachine,
  remediatingCondition,
  scalingDownCondition,
  scalingUpCondition,
} from '../machines/index.js';
import {
  getV1beta1Condition,
  markFalse,
  markTrue,
  pausedCondition,
  setV1beta1Condition,
  setV1beta1Summary,
  type V1beta1Conditioned,
  type V1beta1Target,
} from '../toolkit/index.js';
import { sumVersions, type VersionCount } from '../version/index.js';
import type { DeploymentScope } from './deployment-scope.js';
import {
  countsOf,
  machinesAtMost,
  maxUnavailableText,
  type ObservedDeployment,
  type ObservedMachineSet,
  rolloutLimits,
  strategyOf,
  sumOf,
} from './rollout-plan.js';

type DeploymentPhase = 'ScalingUp' | 'ScalingDown' | 'Running' | 'Unknown';

export interface DeploymentCounters {
  readonly selector: string;
  readonly phase: DeploymentPhase;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
  readonly versions: { version: string; replicas: number }[] | undefined;
  readonly deprecated: {
    readonly v1beta1: {
      readonly readyReplicas: number;
      readonly availableReplicas: number;
      readonly unavailableReplicas: number;
      readonly updatedReplicas: number;
    };
  };
}

/** Returns the status counters, each the sum over all MachineSets. `newMachineSet` is the one with the current template. */
export function deploymentCounters(
  deployment: ObservedDeployment,
  sets: readonly ObservedMachineSet[],
  newMachineSet: string | undefined,
): DeploymentCounters {
  const versions = sets.flatMap((set): readonly VersionCount[] => set.status?.versions ?? []);
  const replicas = sumOf(sets, (set) => set.status?.replicas ?? 0);
  const oldStyleAvailable = sumOf(sets, (set) => set.status?.deprecated?.v1beta1?.availableReplicas ?? 0);
  return {
    selector: labelSelectorFromObject(deployment.spec.selector).toString(),
    phase: phaseOf(deployment, replicas),
    replicas,
    readyReplicas: sumOf(sets, (set) => set.status?.readyReplicas ?? 0),
    availableReplicas: sumOf(sets, (set) => set.status?.availableReplicas ?? 0),
    upToDateReplicas: sumOf(sets, (set) => set.status?.upToDateReplicas ?? 0),
    versions: sumVersions(versions),
    deprecated: {
      v1beta1: {
        readyReplicas: sumOf(sets, (set) => set.status?.deprecated?.v1beta1?.readyReplicas ?? 0),
        availableReplicas: oldStyleAvailable,
        unavailableReplicas: Math.max(machinesAtMost(sets.map(countsOf)) - oldStyleAvailable, 0),
        updatedReplicas: sets.find((set) => set.metadata.name === newMachineSet)?.status?.replicas ?? 0,
      },
    },
  };
}

function phaseOf(deployment: ObservedDeployment, current: number): DeploymentPhase {
  const desired = deployment.spec.replicas;
  if (desired === undefined) return 'Unknown';
  if (isDeleting(deployment) || current > desired) return 'ScalingDown';
  return current < desired ? 'ScalingUp' : 'Running';
}

export interface DeploymentConditionsInput {
  readonly deployment: ObservedDeployment;
  readonly machineSets: readonly ObservedMachineSet[];
  /** All machines of all MachineSets. */
  readonly machines: readonly ObservedMachine[];
  readonly missing: MissingTemplates;
  readonly nowMs: number;
}

/** Returns the conditions computed from the observed state. The pause check sets `Paused`. */
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

/** Returns the RollingOut condition. Lists each reason why machines are not up to date once, version changes first. */
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

/** All condition types that this controller writes on a MachineDeployment, in both styles. */
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

/** The parts of the status that sum up machines and MachineSets. */
export const summaries: Summaries = {
  conditions: ['MachinesReady', 'MachinesUpToDate'],
  messages: ['Available', 'Ready', 'MachineSetReady'],
};

/** Returns the deployment with its new status. observedGeneration is updated only if nothing failed. */
export function withStatus(scope: DeploymentScope, failed: boolean): ObservedDeployment {
  const { deployment, machineSets, machines, context, cluster, newMachineSet } = scope;
  const nowMs = context.clock.now();
  const { deprecated, ...counters } = deploymentCounters(deployment, machineSets, newMachineSet);
  const missing = scope.templates === undefined ? {} : missingTemplates(scope.templates);
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
