import { annotations, hasAnnotation, isDeleting, isUpdatingInPlace, nameOf } from '@slipway/cluster-api';
import { isConditionFalse } from '@slipway/runtime';
import {
  componentConditions,
  type ControlPlaneDecision,
  type ControlPlanePlan,
  type ControlPlaneView,
  desiredReplicas,
  isEtcdManaged,
  machinesToRollOut,
  type MachineView,
  type PreflightFindings,
  type WaitReason,
} from './control-plane.js';
import { isHeldForEtcd, planDeletingMachines, planUnexpectedMembers } from './deletion-planner.js';
import { domainForNewMachine, oldestInFullestDomain } from './failure-domains.js';
import { planLeadership } from './etcd-members.js';
import { checkPreflight, preflightRetryMs } from './preflight.js';
import { planRemediation } from './remediation-planner.js';

/**
 * Plans the next step of a control plane: one structural change at a time, and only if etcd keeps its quorum and an API server
 * keeps serving even when the added or removed machine fails.
 */
export function planControlPlane(view: ControlPlaneView): ControlPlanePlan {
  const urgent = planUnexpectedMembers(view) ?? planDeletingMachines(view);
  if (urgent !== undefined) return planAhead(view, urgent) ?? planOf(urgent, blockedByDeletion(view));
  const { decision, ...remediation } = planRemediation(view);
  if (decision !== undefined) return { decision, ...remediation, preflight: {} };
  const next = planReplicas(view);
  const ahead = canBringReplacement(next.decision) ? undefined : remediateAhead(view, next.preflight);
  return ahead ?? { ...next, ...remediation };
}

/** Plans a remediation before a pending deletion, if etcd cannot tolerate that deletion while the unhealthy machine exists. */
function planAhead(view: ControlPlaneView, urgent: ControlPlaneDecision): ControlPlanePlan | undefined {
  return isHeldForEtcd(urgent) ? remediateAhead(view, blockedByDeletion(view)) : undefined;
}

function remediateAhead(view: ControlPlaneView, preflight: PreflightFindings): ControlPlanePlan | undefined {
  const { decision, ...remediation } = planRemediation(view, { isAhead: true });
  return decision === undefined ? undefined : { decision, ...remediation, preflight };
}

/**
 * Whether a remediation may wait for the replacement of the previously remediated machine. That replacement is never created if
 * it is no longer desired, or if the unhealthy machine itself blocks scaling up.
 */
function canBringReplacement(decision: ControlPlaneDecision): boolean {
  if (decision.type === 'wait') return decision.reason !== 'WaitingForControlPlaneHealth';
  return decision.type !== 'maintain';
}

type Step = Pick<ControlPlanePlan, 'decision' | 'preflight' | 'warning'>;

const rolloutReasonsText: ReadonlySet<string> = new Set<WaitReason>([
  'WaitingForControlPlaneHealth',
  'EtcdQuorumAtRisk',
  'EtcdLeaderUnknown',
  'EtcdUnknown',
]);

/** Returns the plan of a decision. Reports what blocks a deletion, because no other object shows it to the user. */
function planOf(decision: ControlPlaneDecision, preflight: PreflightFindings): ControlPlanePlan {
  const warning = decision.type === 'wait' && rolloutReasonsText.has(decision.reason) ? decision.message : undefined;
  const plan = { decision, preflight, notes: [], dropRemediationInProgress: false };
  return warning === undefined ? plan : { ...plan, warning };
}

/** Returns the findings for scaling conditions while a deletion is blocked, which blocks scaling too. */
function blockedByDeletion(view: ControlPlaneView): PreflightFindings {
  return view.machines.some(({ machine }) => isDeleting(machine)) ? { deletingMachine: true } : {};
}

function planReplicas(view: ControlPlaneView): Step {
  const updating = view.machines.find(({ machine }) => isUpdatingInPlace(machine));
  if (updating !== undefined) {
    const message = `Waiting for in-place update of Machine ${nameOf(updating.machine)} to complete`;
    return { decision: { type: 'wait', reason: 'WaitingForInPlaceUpdate', message }, preflight: {} };
  }
  const outdated = machinesToRollOut(view);
  const replicas = desiredReplicas(view.controlPlane);
  const count = view.machines.length;
  if (outdated.length > 0) {
    const most = replicas + maxSurgeOf(view);
    return count < most
      ? planCreate(view, 'RollingOut', `up to ${most} machines may exist (replicas ${replicas})`)
      : planDelete(view, outdated, 'RollingOut');
  }
  if (count === 0 && replicas > 0) return { decision: planFirst(view), preflight: {} };
  if (count < replicas) return planCreate(view, 'ScalingUp', `${count} of ${replicas} machines exist`);
  if (count > replicas) return planDelete(view, [], 'ScalingDown');
  return { decision: { type: 'maintain' }, preflight: {} };
}

/** Returns maxSurge. Admission allows only 0 and 1, as a number or a string. */
function maxSurgeOf({ controlPlane }: ControlPlaneView): number {
  const surge = Number.parseInt(String(controlPlane.spec.rollout?.strategy?.rollingUpdate?.maxSurge ?? 1), 10);
  return Number.isNaN(surge) ? 1 : surge;
}

function planFirst(view: ControlPlaneView): ControlPlaneDecision {
  const message = 'the first machine of the control plane';
  return { type: 'createFirst', failureDomain: domainForNewMachine(view), reason: 'Initializing', message };
}

function planCreate(view: ControlPlaneView, reason: 'ScalingUp' | 'RollingOut', message: string): Step {
  const { wait, findings, warning } = checkPreflight(view);
  const decision = wait ?? { type: 'create', failureDomain: domainForNewMachine(view), reason, message };
  return { decision, preflight: findings, ...(warning !== undefined && { warning }) };
}

function planDelete(
  view: ControlPlaneView,
  outdated: readonly MachineView[],
  reason: 'ScalingDown' | 'RollingOut',
): Step {
  const [eligible, message] = chooseEligible(view, outdated);
  const removed = oldestInFullestDomain(view, eligible);
  if (removed === undefined) throw new TypeError('failed to pick control plane Machine to delete');
  const { wait, findings, warning } = checkPreflight(view, removed);
  if (wait !== undefined) return { decision: wait, preflight: findings, ...(warning !== undefined && { warning }) };
  const { move, problem } = planLeadership(view, removed);
  if (problem !== undefined) {
    const decision = { type: 'wait', ms: preflightRetryMs, reason: 'EtcdLeaderUnknown', message: problem } as const;
    return { decision, preflight: { etcdUnhealthy: true }, warning: problem };
  }
  const machine = nameOf(removed.machine);
  return { decision: { type: 'delete', machine, reason, message, leadership: move }, preflight: {} };
}

/**
 * Returns the machines to choose from, with the reason: those marked for deletion (outdated ones first), otherwise outdated
 * unhealthy ones, otherwise outdated ones, otherwise all.
 */
function chooseEligible(
  view: ControlPlaneView,
  outdated: readonly MachineView[],
): readonly [eligible: readonly MachineView[], message: string] {
  const isMarked = ({ machine }: MachineView): boolean => hasAnnotation(machine, annotations.deleteMachine);
  const types = componentConditions(isEtcdManaged(view.controlPlane));
  const isSick = ({ machine }: MachineView): boolean => types.some((type) => isConditionFalse(machine, type));
  const choices: readonly (readonly [readonly MachineView[], string])[] = [
    [outdated.filter(isMarked), 'outdated, and marked for deletion'],
    [view.machines.filter(isMarked), 'marked for deletion'],
    [outdated.filter(isSick), 'outdated, and its components are not healthy'],
    [outdated, 'outdated'],
  ];
  return (
    choices.find(([machines]) => machines.length > 0) ?? [
      view.machines,
      'the oldest in the failure domain with the most machines',
    ]
  );
}
