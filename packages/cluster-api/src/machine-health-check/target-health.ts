import { formatDuration, type Frozen, parseTime, scaleIntOrPercent } from '@slipway/kube';
import { type Condition, type Conditioned, getCondition, isConditionTrue, type NewCondition } from '@slipway/runtime';
import { annotations, type MachineHealthCheck, machineReasons, remediationReasons } from '../api/index.js';
import {
  createdMs,
  isControlPlaneMachine,
  isDeleting,
  isMarkedForRemediation,
  type ObservedMachine,
} from '../machines/index.js';

export type ObservedHealthCheck = Frozen<MachineHealthCheck>;

/** The fields of a Node that a health check evaluates. */
export interface NodeState {
  readonly metadata: { readonly name?: string };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly lastTransitionTime?: string | null;
    }[];
  };
}

export interface HealthTarget {
  readonly machine: ObservedMachine;
  /** `deleted` if the Node no longer exists. Undefined if there is no Node yet. */
  readonly node: NodeState | 'deleted' | undefined;
}

/** The HealthCheckSucceeded condition of an unhealthy machine, in both styles. */
interface HealthResult {
  readonly condition: NewCondition;
  /** Reason and message of the deprecated v1beta1 condition. */
  readonly deprecated: { readonly reason: string; readonly message: string };
}

export type TargetHealth =
  | ({ readonly state: 'unhealthy' } & HealthResult)
  /** Unhealthy, but not for long enough: evaluate again in `nextCheckMs`. */
  | { readonly state: 'pending'; readonly nextCheckMs: number }
  | { readonly state: 'healthy'; readonly condition: NewCondition }
  /** No result: the machine is being deleted or has no Node, or its Cluster is not ready for the check. */
  | { readonly state: 'undecided' };

export interface HealthContext {
  readonly healthCheck: ObservedHealthCheck;
  /** The Cluster. Only its conditions are used. */
  readonly cluster: Conditioned;
  readonly nowMs: number;
}

const nodeStartupTimeoutSecondsDefault = 600;
/** Condition times are truncated to seconds, so one more second is needed until the timeout has certainly passed. */
const roundingMs = 1000;

export function evaluateTarget(target: HealthTarget, context: HealthContext): TargetHealth {
  const { machine, node } = target;
  if (isMarkedForRemediation(machine)) return { state: 'unhealthy', ...markedByUser };
  if (!isClusterUp(machine, context)) return { state: 'undecided' };
  const machineIssues = machineConditionIssues(machine, context);
  const nodeIssues = nodeIssuesOf(target, context);
  const issues = [...nodeIssues, ...machineIssues];
  const failed = issues.filter(({ leftMs }) => leftMs < 0);
  if (failed.length > 0) return { state: 'unhealthy', ...failure(failed) };
  if (issues.length > 0) {
    return { state: 'pending', nextCheckMs: Math.min(...issues.map(({ leftMs }) => leftMs)) + roundingMs };
  }
  if (isDeleting(machine) || node === undefined) return { state: 'undecided' };
  return {
    state: 'healthy',
    condition: { type: 'HealthCheckSucceeded', status: 'True', reason: 'HealthCheckSucceeded' },
  };
}

const markedByUser: HealthResult = {
  condition: {
    type: 'HealthCheckSucceeded',
    status: 'False',
    reason: 'HasRemediateAnnotation',
    message: `Health check failed: marked for remediation via ${annotations.remediateMachine} annotation`,
  },
  deprecated: {
    reason: 'HasRemediateMachineAnnotation',
    message: 'Marked for remediation via remediate-machine annotation',
  },
};

/**
 * Whether the cluster is far enough provisioned to check a machine: the infrastructure must be ready and, for worker machines,
 * the control plane initialized.
 */
function isClusterUp(machine: ObservedMachine, { cluster }: HealthContext): boolean {
  const initialized = isControlPlaneMachine(machine) || isConditionTrue(cluster, 'ControlPlaneInitialized');
  return initialized && isConditionTrue(cluster, 'InfrastructureReady');
}

/** A problem of a machine that may not have reached its timeout yet. */
interface Issue {
  readonly reason: string;
  /** Reason and message of the deprecated condition. Unlike `message`, it omits the reason of the unhealthy condition. */
  readonly deprecated: { readonly reason: string; readonly message: string };
  readonly message: string;
  /** Time until the problem reaches its timeout, in milliseconds. Negative afterwards. */
  readonly leftMs: number;
}

function machineConditionIssues(machine: ObservedMachine, { healthCheck, nowMs }: HealthContext): Issue[] {
  return (healthCheck.spec.checks?.unhealthyMachineConditions ?? []).flatMap((check) => {
    const condition = getCondition(machine, check.type);
    return condition?.status === check.status
      ? [conditionIssue('Machine', condition, check.timeoutSeconds, nowMs)]
      : [];
  });
}

function nodeIssuesOf({ machine, node }: HealthTarget, context: HealthContext): Issue[] {
  if (node === 'deleted') return [nodeDeleted(machine.status?.nodeRef?.name ?? '')];
  if (node === undefined) return startupIssue(machine, context);
  return (context.healthCheck.spec.checks?.unhealthyNodeConditions ?? []).flatMap((check) => {
    const condition = node.status?.conditions?.find(({ type }) => type === check.type);
    if (condition?.status !== check.status) return [];
    return [conditionIssue('Node', condition, check.timeoutSeconds, context.nowMs)];
  });
}

function nodeDeleted(name: string): Issue {
  return {
    reason: machineReasons.nodeDeleted,
    message: `Node ${name} has been deleted`,
    deprecated: { reason: 'NodeNotFound', message: '' },
    leftMs: -1,
  };
}

/** Reports a machine without a Node. The startup timeout begins when the last prerequisite of the machine becomes true. */
function startupIssue(machine: ObservedMachine, { healthCheck, cluster, nowMs }: HealthContext): Issue[] {
  const seconds = healthCheck.spec.checks?.nodeStartupTimeoutSeconds ?? nodeStartupTimeoutSecondsDefault;
  if (seconds === 0) return [];
  const startMs = Math.max(
    createdMs(machine),
    trueSinceMs(getCondition(cluster, 'ControlPlaneInitialized')),
    trueSinceMs(getCondition(cluster, 'InfrastructureReady')),
    trueSinceMs(getCondition(machine, 'InfrastructureReady')),
  );
  const message = `Node failed to report startup in ${durationOf(seconds)}`;
  const reason = 'NodeStartupTimeout';
  return [{ reason, message, deprecated: { reason, message }, leftMs: startMs + seconds * 1000 - nowMs }];
}

function trueSinceMs(condition: Readonly<Condition> | undefined): number {
  return condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : 0;
}

type CheckedCondition = NonNullable<NonNullable<NodeState['status']>['conditions']>[number];

function conditionIssue(kind: 'Node' | 'Machine', condition: CheckedCondition, seconds: number, nowMs: number): Issue {
  const { type, status, reason: cause = '', lastTransitionTime } = condition;
  const reason = kind === 'Node' ? remediationReasons.unhealthyNode : remediationReasons.unhealthyMachine;
  const withCause = cause === '' ? '' : ` with reason ${cause}`;
  const since = `for more than ${durationOf(seconds)}`;
  const sinceMs = (lastTransitionTime ?? '') === '' ? 0 : parseTime(lastTransitionTime ?? '');
  return {
    reason,
    message: `Condition ${type} on ${kind} is reporting status ${status}${withCause} ${since}`,
    deprecated: {
      reason,
      message: `Condition ${type} on ${kind.toLowerCase()} is reporting status ${status} ${since}`,
    },
    leftMs: sinceMs + seconds * 1000 - nowMs,
  };
}

function durationOf(seconds: number): string {
  return formatDuration(BigInt(seconds) * 1_000_000_000n);
}

/** Returns the condition for problems that exceed their timeout. Machine conditions take precedence over Node conditions. */
function failure(issues: readonly Issue[]): HealthResult {
  const main = issues.find(({ reason }) => reason === remediationReasons.unhealthyMachine) ?? issues[0];
  const message = `Health check failed:${issues.map((issue) => `\n  * ${issue.message}`).join('')}`;
  const deprecatedMessages = issues.map(({ deprecated }) => deprecated.message).filter((text) => text !== '');
  return {
    condition: { type: 'HealthCheckSucceeded', status: 'False', reason: main?.reason ?? '', message },
    deprecated: { reason: main?.deprecated.reason ?? '', message: deprecatedMessages.join('; ') },
  };
}

export interface RemediationLimit {
  readonly allowed: boolean;
  /** How many more machines may become unhealthy before remediation is no longer allowed. */
  readonly remediationsAllowed: number;
  /** Why remediation is not allowed. */
  readonly message: string;
}

export interface HealthCounts {
  readonly expected: number;
  readonly healthy: number;
  /** Number of machines that need remediation. Excludes starting machines and those within their timeout. */
  readonly unhealthy: number;
}

const maxUnhealthyDefault = '100%';
const range = /^\[([0-9]+)-([0-9]+)\]$/;

/**
 * Decides whether remediation is allowed. If many machines fail at the same time, the cause is most likely outside of
 * them, and replacing them makes it worse. Every machine that is not known to be healthy counts, to stop early.
 */
export function remediationLimit(healthCheck: ObservedHealthCheck, counts: HealthCounts): RemediationLimit {
  const { unhealthyInRange = '', unhealthyLessThanOrEqualTo = maxUnhealthyDefault } =
    healthCheck.spec.remediation?.triggerIf ?? {};
  const notHealthy = counts.expected - counts.healthy;
  if (unhealthyInRange !== '') return limitByRange(unhealthyInRange, notHealthy, counts);
  const max = scaleIntOrPercent(unhealthyLessThanOrEqualTo, counts.expected, 'down');
  if (notHealthy <= max) return allow(max - notHealthy);
  return refuse(
    `exceeds maxUnhealthy (total: ${counts.expected}, unhealthy: ${counts.unhealthy}, maxUnhealthy: ${unhealthyLessThanOrEqualTo})`,
  );
}

function limitByRange(text: string, notHealthy: number, counts: HealthCounts): RemediationLimit {
  const [, low = '', high = ''] = range.exec(text) ?? [];
  const [min, max] = [Number(low), Number(high)];
  if (low !== '' && min <= notHealthy && notHealthy <= max) return allow(max - notHealthy);
  return refuse(
    `does not fall within the range (total: ${counts.expected}, unhealthy: ${counts.unhealthy}, unhealthyRange: ${text})`,
  );
}

function allow(remediationsAllowed: number): RemediationLimit {
  return { allowed: true, remediationsAllowed, message: '' };
}

function refuse(why: string): RemediationLimit {
  const message = `Remediation is not allowed, the number of not started or unhealthy machines ${why}`;
  return { allowed: false, remediationsAllowed: 0, message };
}
