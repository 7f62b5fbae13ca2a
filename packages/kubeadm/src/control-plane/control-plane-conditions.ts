import {
  aggregateV1beta1Ready,
  getV1beta1Condition,
  isOwnerToRemediate,
  isUnhealthy,
  machinesAre,
  machinesReadyCondition,
  machinesUpToDateCondition,
  type ObservedMachine,
  reasons,
  remediatingCondition,
  scalingDownCondition,
  scalingUpCondition,
  staleMachinesMessage,
  summarizeV1beta1,
  type V1beta1Condition,
  type V1beta1Conditioned,
} from '@slipway/cluster-api';
import { getCondition, isConditionTrue, isDeleting, type NewCondition } from '@slipway/runtime';
import { kubeadmConditions } from '../api/index.js';
import type { NewV1beta1Condition } from '../workload/index.js';
import {
  desiredReplicas,
  isInitialized,
  type MachineView,
  type ObservedControlPlane,
  type PreflightFindings,
} from './control-plane.js';

export interface ConditionsInput {
  readonly controlPlane: ObservedControlPlane;
  readonly machines: readonly ObservedMachine[];
  readonly preflight: PreflightFindings;
  /** Why no machine can be created. */
  readonly creationProblem: string | undefined;
  /** The progress of the deletion. Undefined if the control plane is not being deleted. */
  readonly deletion: { readonly reason: string; readonly message: string } | undefined;
  readonly nowMs: number;
}

/** Returns all conditions that are derived from the machines, except Available. */
export function controlPlaneConditions(input: ConditionsInput): NewCondition[] {
  const { machines, nowMs } = input;
  return [
    initializedCondition(input),
    rollingOutCondition(machines),
    scalingUp(input),
    scalingDown(input),
    machinesReadyCondition(machines),
    machinesUpToDateCondition(machines, nowMs),
    remediating(machines),
    deleting(input),
  ];
}

function initializedCondition({ controlPlane }: ConditionsInput): NewCondition {
  const type = kubeadmConditions.initialized;
  return isInitialized(controlPlane)
    ? { type, status: 'True', reason: 'Initialized' }
    : { type, status: 'False', reason: 'NotInitialized' };
}

const versionLine = '* Version';

/** Returns the RollingOut condition. Lists each reason to replace machines once, version changes first. */
function rollingOutCondition(machines: readonly ObservedMachine[]): NewCondition {
  const type = 'RollingOut';
  const outdated = machines
    .map((machine) => getCondition(machine, 'UpToDate'))
    .filter((each) => each?.status === 'False');
  if (outdated.length === 0) return { type, status: 'False', reason: reasons.notRollingOut };
  const lines = new Set(outdated.flatMap((each) => (each?.message ?? '').split('\n')).filter((line) => line !== ''));
  const sorted = [...lines].sort((left, right) => {
    const place = Number(right.startsWith(versionLine)) - Number(left.startsWith(versionLine));
    return place || (left < right ? -1 : 1);
  });
  const message = [`Rolling out ${outdated.length} not up-to-date replicas`, ...sorted].join('\n');
  return { type, status: 'True', reason: reasons.rollingOut, message };
}

function scalingOf({ controlPlane, machines }: ConditionsInput): { desired: number; current: number } {
  return { desired: isDeleting(controlPlane) ? 0 : desiredReplicas(controlPlane), current: machines.length };
}

function scalingUp(input: ConditionsInput): NewCondition {
  const { creationProblem } = input;
  const missing = creationProblem === undefined ? [] : [creationProblem];
  return scalingUpCondition(scalingOf(input), {
    blocked: blockedText([...preflightMessages(input.preflight), ...missing]),
    wouldBeBlocked: missing.length > 0 ? `Scaling up would be blocked because ${missing[0]}` : '',
  });
}

function scalingDown(input: ConditionsInput): NewCondition {
  const { machines, nowMs, preflight } = input;
  // Pass no machines here, because stale machines are listed below with the other causes.
  const condition = scalingDownCondition(scalingOf(input), [], nowMs);
  if (condition.status !== 'True') return condition;
  const stale = staleMachinesMessage(machines, nowMs);
  const blocks = [...preflightMessages(preflight), ...(stale === '' ? [] : [stale])];
  return { ...condition, message: `${condition.message ?? ''}${blockedText(blocks)}` };
}

function blockedText(blocks: readonly string[]): string {
  return blocks.length === 0 ? '' : ` is blocked because:\n${blocks.map((block) => `* ${block}`).join('\n')}`;
}

function preflightMessages(findings: PreflightFindings): string[] {
  const messages: string[] = [];
  if (findings.topologyVersion !== undefined)
    messages.push(`waiting for a version upgrade to ${findings.topologyVersion} to be propagated`);
  if (findings.deletingMachine === true) messages.push('waiting for a control plane Machine to complete deletion');
  if (findings.certificatesMissing === true) messages.push('cluster certificates are missing or unknown');
  if (findings.componentsUnhealthy === true) messages.push('waiting for control plane components to become healthy');
  if (findings.etcdUnhealthy === true) messages.push('waiting for etcd cluster to become healthy');
  return messages;
}

function remediating(machines: readonly ObservedMachine[]): NewCondition {
  if (machines.some(isOwnerToRemediate)) return remediatingCondition(machines);
  const unhealthy = machines.filter(isUnhealthy);
  const message =
    unhealthy.length === 0 ? '' : `${machinesAre(unhealthy)} not healthy (not to be remediated by KubeadmControlPlane)`;
  return { type: 'Remediating', status: 'False', reason: reasons.notRemediating, message };
}

function deleting({ controlPlane, deletion }: ConditionsInput): NewCondition {
  if (!isDeleting(controlPlane)) return { type: 'Deleting', status: 'False', reason: reasons.notDeleting };
  return {
    type: 'Deleting',
    status: 'True',
    reason: deletion?.reason ?? reasons.deleting,
    message: deletion?.message ?? '',
  };
}

const summarized = [
  'MachinesCreated',
  'MachinesSpecUpToDate',
  'Resized',
  'MachinesReady',
  'Available',
  'CertificatesAvailable',
];

/** Sets the deprecated v1beta1 conditions that are derived from the machines, and Ready, which summarizes all of them. */
export function deprecatedConditions(
  controlPlane: ObservedControlPlane,
  machines: readonly MachineView[],
  replicas: number,
): NewV1beta1Condition[] {
  const own = [
    ...machinesReady(machines),
    ...(isDeleting(controlPlane) ? [] : [...sizeConditions(machines, replicas), ...available(controlPlane)]),
    ...upToDate(controlPlane, machines),
  ];
  const ready = summarizeV1beta1(withConditions(controlPlane, own), { types: summarized });
  return ready === undefined ? own : [...own, { type: 'Ready', ...ready }];
}

function withConditions(controlPlane: ObservedControlPlane, own: readonly NewV1beta1Condition[]): V1beta1Conditioned {
  const kept = (controlPlane.status?.deprecated?.v1beta1?.conditions ?? []) as readonly V1beta1Condition[];
  const others = kept.filter(({ type }) => own.every((each) => each.type !== type));
  const conditions = [...others, ...own.map((each) => ({ ...each, lastTransitionTime: '' }))];
  return { status: { deprecated: { v1beta1: { conditions } } } };
}

function machinesReady(machines: readonly MachineView[]): NewV1beta1Condition[] {
  const ready = aggregateV1beta1Ready(
    machines.map(({ machine }) => machine as Parameters<typeof aggregateV1beta1Ready>[0][number]),
  );
  return ready === undefined ? [] : [{ type: 'MachinesReady', ...ready }];
}

function sizeConditions(machines: readonly MachineView[], replicas: number): NewV1beta1Condition[] {
  const resized = { type: 'Resized', status: 'False', severity: 'Warning' } as const;
  const created: NewV1beta1Condition = { type: 'MachinesCreated', status: 'True' };
  const count = machines.length;
  const reported = (direction: string): string =>
    `Scaling ${direction} control plane to ${replicas} replicas (actual ${count})`;
  if (count < replicas) return [{ ...resized, reason: 'ScalingUp', message: reported('up') }];
  if (count > replicas) return [{ ...resized, reason: 'ScalingDown', message: reported('down') }, created];
  // The condition is True when the machines are Ready, not when they were created.
  const isDone = machines.every(({ machine }) => isConditionTrue(machine, 'Ready'));
  return [...(isDone ? [{ type: 'Resized', status: 'True' } as const] : []), created];
}

function available(controlPlane: ObservedControlPlane): NewV1beta1Condition[] {
  return isInitialized(controlPlane) ? [{ type: 'Available', status: 'True' }] : [];
}

function upToDate(controlPlane: ObservedControlPlane, machines: readonly MachineView[]): NewV1beta1Condition[] {
  const type = 'MachinesSpecUpToDate';
  const outdated = machines.filter(({ machine, outdated: causes }) => causes.length > 0 && !isDeleting(machine)).length;
  if (outdated > 0) {
    const message = `Rolling ${outdated} replicas with outdated spec (${machines.length - outdated} replicas up to date)`;
    return [{ type, status: 'False', reason: 'RollingUpdateInProgress', severity: 'Warning', message }];
  }
  // Without outdated machines the condition is only set if it already exists.
  const before = getV1beta1Condition(controlPlane as V1beta1Conditioned, type);
  return before === undefined ? [] : [{ type, status: 'True' }];
}
