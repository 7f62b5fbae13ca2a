import {
  annotations,
  compareAges,
  createdMs,
  hasAnnotation,
  isDeleting,
  isOwnerToRemediate,
  isUnhealthy,
  nameOf,
  type ObservedMachine,
  remediationReasons,
} from '@slipway/cluster-api';
import { hasCondition, isConditionFalse, isConditionTrue, type NewCondition } from '@slipway/runtime';
import { controlPlaneAnnotations, controlPlaneMachineConditions } from '../api/index.js';
import {
  type ControlPlaneDecision,
  type ControlPlaneView,
  deletingMachines,
  isEtcdManaged,
  isInitialized,
  type MachineView,
  nodeOf,
  parseRemediationData,
  type RemediationData,
  type RemediationNote,
} from './control-plane.js';
import { hasHealthyControlPlaneWithout, isEtcdSafeWithout, planLeadership } from './etcd-members.js';
import { pendingTopologyVersion } from './preflight.js';

export interface RemediationPlan {
  readonly notes: readonly RemediationNote[];
  readonly dropRemediationInProgress: boolean;
  /** The decision. If it is undefined, other steps of the control plane continue. */
  readonly decision?: ControlPlaneDecision;
}

interface RemediationOptions {
  /** Whether the remediation takes precedence over a deletion or replacement that the unhealthy Machine blocks. */
  readonly isAhead?: boolean;
}

/** Selects the unhealthy machine to replace now, or reports why the next one cannot be replaced. */
export function planRemediation(view: ControlPlaneView, { isAhead = false }: RemediationOptions = {}): RemediationPlan {
  const healed = view.machines.filter(({ machine }) => isHealthyAgain(machine)).map(noteHealed);
  const { inProgress, isStale } = remediationInProgress(view);
  const base = { notes: healed, dropRemediationInProgress: isStale };
  const [chosen] = view.machines
    .filter(({ machine }) => isOwnerToRemediate(machine) && !(isAhead && isDeleting(machine)))
    .sort(compareUrgency(view));
  if (chosen === undefined || isDeleting(chosen.machine)) return base;
  if (inProgress !== undefined && !(isAhead && isLeaving(view, inProgress))) return base;
  const { decision, note } = evaluate(view, chosen, isAhead);
  return { ...base, notes: [...healed, ...(note === undefined ? [] : [note])], ...(decision && { decision }) };
}

function isHealthyAgain(machine: ObservedMachine): boolean {
  return (
    !isDeleting(machine) &&
    isConditionTrue(machine, 'HealthCheckSucceeded') &&
    hasCondition(machine, 'OwnerRemediated') &&
    isConditionFalse(machine, 'OwnerRemediated')
  );
}

function noteHealed({ machine }: MachineView): RemediationNote {
  return { machine: nameOf(machine), condition: undefined };
}

/**
 * Compares by urgency, the most broken machine first: after its removal, the remaining machines are most likely to
 * accept a replacement.
 */
function compareUrgency(view: ControlPlaneView): (left: MachineView, right: MachineView) => number {
  const { etcdMemberHealthy, etcdPodHealthy, ...others } = controlPlaneMachineConditions;
  const etcd = isEtcdManaged(view.controlPlane) ? [etcdMemberHealthy, etcdPodHealthy] : [];
  const conditions = [
    ...etcd,
    others.apiServerPodHealthy,
    others.controllerManagerPodHealthy,
    others.schedulerPodHealthy,
    others.nodeKubeadmLabelsAndTaintsSet,
  ];
  const rank = (machine: ObservedMachine): boolean[] => [
    hasAnnotation(machine, annotations.remediateMachine),
    nodeOf(machine) === undefined,
    ...conditions.map((type) => !isConditionTrue(machine, type)),
  ];
  return (left, right) => {
    const [a, b] = [rank(left.machine), rank(right.machine)];
    const place = a.findIndex((value, index) => value !== b[index]);
    if (place >= 0) return a[place] === true ? -1 : 1;
    return compareAges(left.machine, right.machine);
  };
}

interface Verdict {
  readonly decision?: ControlPlaneDecision;
  readonly note?: RemediationNote;
}

function evaluate(view: ControlPlaneView, chosen: MachineView, isAhead: boolean): Verdict {
  const name = nameOf(chosen.machine);
  const refuse = (refusal: Refusal): Verdict => ({
    note: { machine: name, condition: ownerRemediated(refusal.reason, refusal.message) },
  });
  const topology = pendingTopologyVersion(view);
  if (topology !== undefined)
    return refuse({
      reason: remediationReasons.remediationDeferred,
      message: `KubeadmControlPlane can't remediate while waiting for a version upgrade to ${topology} to be propagated from Cluster.spec.topology`,
    });
  const retries = checkRetries(view, chosen.machine);
  if (retries.refusal !== undefined) return refuse(retries.refusal);
  const refusal = isInitialized(view.controlPlane) ? refusalOfInitialized(view, chosen, isAhead) : undefined;
  if (refusal !== undefined) return refuse(refusal);
  const leadership = isInitialized(view.controlPlane) ? planLeadership(view, chosen) : { move: undefined };
  if (leadership.problem !== undefined)
    return refuse({ reason: remediationReasons.cannotBeRemediated, message: leadership.problem });
  return {
    note: { machine: name, condition: ownerRemediated(remediationReasons.machineDeleting, 'Machine is deleting') },
    decision: {
      type: 'remediate',
      machine: name,
      reason: 'Remediating',
      message: 'the machine failed its health check',
      leadership: leadership.move,
      data: retries.data,
    },
  };
}

interface Refusal {
  readonly reason: string;
  readonly message: string;
}

function ownerRemediated(reason: string, message: string): NewCondition {
  return { type: 'OwnerRemediated', status: 'False', reason, message };
}

/** Returns why a machine of an initialized control plane must not be deleted: the remaining machines must keep it available. */
function refusalOfInitialized(view: ControlPlaneView, chosen: MachineView, isAhead: boolean): Refusal | undefined {
  const { cannotBeRemediated, remediationDeferred } = remediationReasons;
  const managed = isEtcdManaged(view.controlPlane);
  const deferred = (message: string): Refusal => ({ reason: remediationDeferred, message });
  if (view.machines.length <= 1)
    return {
      reason: cannotBeRemediated,
      message: "KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
    };
  if (view.machines.some(({ machine }) => !isUnhealthy(machine) && nodeOf(machine) === undefined))
    return deferred(
      'KubeadmControlPlane waiting for control plane Machine provisioning to complete before triggering remediation',
    );
  if (!isAhead && deletingMachines(view).length > 0)
    return deferred(
      'KubeadmControlPlane waiting for control plane Machine deletion to complete before triggering remediation',
    );
  // Upstream also requires the member list of an external etcd, which it never reads, so it never remediates such a
  // control plane. Slipway does.
  if (managed && (view.etcd === undefined || view.etcd.members.length === 0))
    return deferred('Failed to check etcd cluster health before remediation');
  const isSafe = hasHealthyControlPlaneWithout(view, chosen) && (!managed || isEtcdSafeWithout(view, chosen));
  if (isSafe) return undefined;
  return {
    reason: cannotBeRemediated,
    message:
      "KubeadmControlPlane can't remediate this Machine because this could result in loosing Kubernetes control plane components or in etcd quorum loss",
  };
}

function remediationInProgress(view: ControlPlaneView): {
  readonly inProgress?: RemediationData;
  readonly isStale: boolean;
} {
  const { controlPlane } = view;
  const text = controlPlane.metadata.annotations?.[controlPlaneAnnotations.remediationInProgress];
  if (text === undefined) return { isStale: false };
  if (isReplaced(view, text)) return { isStale: true };
  return { inProgress: parseRemediationData(text, `KubeadmControlPlane ${nameOf(controlPlane)}`), isStale: false };
}

/**
 * Whether the remediated machine is gone or being deleted. The observed machines may be older than the annotation, and still list
 * it as not being deleted.
 */
function isLeaving({ machines }: ControlPlaneView, { machine: name }: RemediationData): boolean {
  return machines.every(({ machine }) => nameOf(machine) !== name || isDeleting(machine));
}

const minHealthyPeriodMsDefault = 3_600_000;

interface RetryCheck {
  readonly data: RemediationData;
  readonly refusal?: Refusal;
}

/**
 * Whether the machine may be replaced once more. It counts as a retry of the machine that it replaced if it did not stay healthy
 * long enough: a fault that affects every machine must not cause endless replacements.
 */
function checkRetries({ controlPlane, nowMs }: ControlPlaneView, machine: ObservedMachine): RetryCheck {
  const first: RemediationData = { machine: nameOf(machine), atMs: nowMs, retryCount: 0 };
  const text = machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor];
  if (text === undefined) return { data: first };
  const last = parseRemediationData(text, `Machine ${nameOf(machine)}`);
  const { maxRetry, minHealthyPeriodSeconds, retryPeriodSeconds = 0 } = controlPlane.spec.remediation ?? {};
  const minHealthyMs =
    minHealthyPeriodSeconds === undefined ? minHealthyPeriodMsDefault : minHealthyPeriodSeconds * 1000;
  const sinceMs = last.atMs === undefined ? Number.POSITIVE_INFINITY : nowMs - last.atMs;
  if (sinceMs >= minHealthyMs) return { data: first };
  const again = { ...first, retryCount: last.retryCount };
  if (sinceMs < retryPeriodSeconds * 1000)
    return {
      data: again,
      refusal: {
        reason: remediationReasons.remediationDeferred,
        message: `KubeadmControlPlane can't remediate this machine because the operation already failed in the latest ${durationText(retryPeriodSeconds)} (RetryPeriodSeconds)`,
      },
    };
  if (maxRetry !== undefined && last.retryCount >= maxRetry)
    return {
      data: again,
      refusal: {
        reason: remediationReasons.cannotBeRemediated,
        message: `KubeadmControlPlane can't remediate this machine because the operation already failed ${maxRetry} times (MaxRetry)`,
      },
    };
  return { data: { ...again, retryCount: last.retryCount + 1 } };
}

/** Formats a duration as upstream does: `1h0m0s`, `15m0s`, `30s`. */
function durationText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
}

/**
 * Whether a machine was created for the remediation, or at least after it started. Timestamps alone are not enough: they have a
 * resolution of one second, and a machine can be replaced within a second.
 */
function isReplaced({ controlPlane, machines }: ControlPlaneView, inProgress: string): boolean {
  const { atMs } = parseRemediationData(inProgress, `KubeadmControlPlane ${nameOf(controlPlane)}`);
  return machines.some(
    ({ machine }) =>
      machine.metadata.annotations?.[controlPlaneAnnotations.remediationFor] === inProgress ||
      createdMs(machine) > (atMs ?? 0),
  );
}
