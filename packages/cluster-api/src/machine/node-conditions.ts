import { formatTime, type Frozen, parseTime } from '@slipway/kube';
import { getCondition, hasCondition, type NewCondition, type Node } from '@slipway/runtime';
import { machineReasons, reasons } from '../api/index.js';
import { failureMessage } from '../contract/index.js';
import { isDeleting, type ObservedMachine } from '../machines/index.js';
import type { ClusterHealth } from '../toolkit/index.js';

/** The state of a machine's Node. */
export type NodeObservation =
  | { readonly type: 'found'; readonly node: Frozen<Node> }
  | { readonly type: 'missing' }
  /** The workload cluster did not respond. */
  | { readonly type: 'disconnected' }
  | { readonly type: 'failed'; readonly error?: unknown };

export interface NodeConditionsInput {
  readonly machine: ObservedMachine;
  readonly infrastructureProvisioned: boolean;
  /** The time at which ControlPlaneInitialized of the Cluster became True. */
  readonly controlPlaneInitializedAt: string | undefined;
  readonly node: NodeObservation;
  readonly health: ClusterHealth;
  readonly remoteConditionsGraceMs: number;
  readonly nowMs: number;
}

/** Number of failed probes after which a connection counts as lost. */
const failuresMin = 5;

/**
 * Returns the conditions NodeReady and NodeHealthy. Empty if the last ones must be kept: a short disconnection gives no
 * information about the Node.
 */
export function nodeConditions(input: NodeConditionsInput): NewCondition[] {
  const { health, nowMs, node, controlPlaneInitializedAt } = input;
  if (!input.infrastructureProvisioned) return both('Unknown', reasons.inspectionFailed, waitingForInfrastructure);
  if (controlPlaneInitializedAt === undefined)
    return both('Unknown', reasons.inspectionFailed, 'Waiting for Cluster control plane to be initialized');
  const probedMs = health.lastProbeSuccessAt ?? 0;
  if (probedMs === 0 && health.consecutiveFailures < failuresMin)
    return unlessKnown(input.machine, 'Remote connection not established yet');
  if (nowMs - Math.max(probedMs, parseTime(controlPlaneInitializedAt)) > input.remoteConditionsGraceMs)
    return both('Unknown', reasons.connectionDown, lastProbeText(probedMs));
  if (node.type === 'disconnected') return unlessKnown(input.machine, lastProbeText(probedMs));
  if (node.type === 'failed') return both('Unknown', reasons.internalError, failureMessage(node.error));
  return node.type === 'found' ? conditionsOf(node.node) : missingNode(input.machine);
}

const waitingForInfrastructure = 'Waiting for Cluster status.initialization.infrastructureProvisioned to be true';

function both(status: NewCondition['status'], reason: string, message: string): NewCondition[] {
  return ['NodeReady', 'NodeHealthy'].map((type) => ({ type, status, reason, message }));
}

function unlessKnown(machine: ObservedMachine, message: string): NewCondition[] {
  if (hasCondition(machine, 'NodeReady') && hasCondition(machine, 'NodeHealthy')) return [];
  return both('Unknown', reasons.connectionDown, message);
}

function lastProbeText(probedMs: number): string {
  return probedMs === 0 ? '' : `Last successful probe at ${formatTime(probedMs)}`;
}

function conditionsOf(node: Frozen<Node>): NewCondition[] {
  return [nodeReady(node), { type: 'NodeHealthy', ...nodeSummary(node) }];
}

function nodeReady(node: Frozen<Node>): NewCondition {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const type = 'NodeReady';
  if (ready === undefined) {
    const message = '* Node.Ready: Condition not yet reported';
    return { type, status: 'Unknown', reason: machineReasons.nodeReadyUnknown, message };
  }
  const status = ready.status === 'True' || ready.status === 'False' ? ready.status : 'Unknown';
  const message = status !== 'True' && (ready.message ?? '') !== '' ? `* Node.Ready: ${ready.message}` : '';
  const { lastTransitionTime } = ready;
  return {
    type,
    status,
    reason: readyReasons[status],
    message,
    ...(typeof lastTransitionTime === 'string' && { lastTransitionTime }),
  };
}

const readyReasons = {
  True: machineReasons.nodeReady,
  False: machineReasons.nodeNotReady,
  Unknown: machineReasons.nodeReadyUnknown,
} as const;

function missingNode(machine: ObservedMachine): NewCondition[] {
  const name = machine.status?.nodeRef?.name;
  if (isDeleting(machine)) {
    if (name === undefined) return both('Unknown', machineReasons.nodeDoesNotExist, 'Node does not exist');
    return both('False', machineReasons.nodeDeleted, `Node ${name} has been deleted`);
  }
  if (name !== undefined)
    return both('False', machineReasons.nodeDeleted, `Node ${name} has been deleted while the Machine still exists`);
  const { providerID, infrastructureRef } = machine.spec;
  const message =
    providerID === undefined
      ? `Waiting for ${infrastructureRef.kind} to report spec.providerID`
      : `Waiting for a Node with spec.providerID ${providerID} to exist`;
  return both('Unknown', reasons.inspectionFailed, message);
}

/** Returns the time until kept conditions must be evaluated again without an event, in milliseconds. */
export function nodeConditionsDueMs(input: NodeConditionsInput): number | undefined {
  const { health, nowMs, controlPlaneInitializedAt } = input;
  if (health.connected || controlPlaneInitializedAt === undefined) return undefined;
  const since = Math.max(health.lastProbeSuccessAt ?? 0, parseTime(controlPlaneInitializedAt));
  const due = since + input.remoteConditionsGraceMs - nowMs;
  const isShown = getCondition(input.machine, 'NodeHealthy')?.reason === reasons.connectionDown;
  return due >= 0 && !isShown ? due + 1 : undefined;
}

const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

interface Finding {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly message: string;
  readonly isReported: boolean;
}

/** Summarizes the conditions of a Node: healthy if it is Ready and reports no pressure. The message lists only problems. */
export function nodeSummary(node: Frozen<Node>): Omit<NewCondition, 'type'> {
  const findings = ['Ready', ...pressures].flatMap((type) => findingOf(node, type));
  const message = messageOf(findings);
  if (findings.some(({ status }) => status !== 'Unknown'))
    return { status: 'False', reason: machineReasons.nodeNotHealthy, message };
  if (findings.length > 0) return { status: 'Unknown', reason: machineReasons.nodeHealthyUnknown, message };
  return { status: 'True', reason: machineReasons.nodeHealthy, message: '' };
}

function findingOf(node: Frozen<Node>, type: string): Finding[] {
  const condition = node.status?.conditions?.find((candidate) => candidate.type === type);
  if (condition === undefined)
    return [{ type, status: 'Unknown', message: 'Condition not yet reported', isReported: false }];
  const status = condition.status === 'True' || condition.status === 'False' ? condition.status : 'Unknown';
  if (status === (type === 'Ready' ? 'True' : 'False')) return [];
  const message = (condition.message ?? '') === '' ? `Condition is ${status}` : (condition.message ?? '');
  return [{ type, status, message, isReported: true }];
}

/** Joins messages. When a kubelet stops reporting, all conditions have the same message, which is reported once. */
function messageOf(findings: readonly Finding[]): string {
  const reported = findings.filter(({ isReported }) => isReported);
  const [first] = reported;
  if (first !== undefined && reported.length > 1 && reported.every(({ message }) => message === first.message))
    return `* Node.AllConditions: ${first.message}`;
  return findings.map(({ type, message }) => `* Node.${type}: ${message}`).join('\n');
}

/** Returns the summary for the deprecated condition, in which a Node without conditions counts as healthy. */
export function nodeSummaryV1beta1(node: Frozen<Node>): { status: 'True' | 'False' | 'Unknown'; message: string } {
  const findings = ['Ready', ...pressures].flatMap((type) => findingOf(node, type)).filter((each) => each.isReported);
  const message = findings.map(({ type, status }) => `Node condition ${type} is ${status}`).join('. ');
  if (findings.some(({ status }) => status !== 'Unknown')) return { status: 'False', message };
  return { status: findings.length < 1 + pressures.length ? 'True' : 'Unknown', message };
}
