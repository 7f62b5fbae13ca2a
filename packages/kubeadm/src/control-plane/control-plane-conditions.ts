import {
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
} from '@slipway/cluster-api';
import { getCondition, isDeleting, type NewCondition } from '@slipway/runtime';
import { kubeadmConditions } from '../api/index.js';
import { desiredReplicas, isInitialized, type ObservedControlPlane } from './control-plane.js';
import type { PreflightFindings } from './control-plane-plan.js';

export interface ConditionsInput {
  readonly controlPlane: ObservedControlPlane;
  readonly machines: readonly ObservedMachine[];
  readonly preflight: PreflightFindings;
  /** Why no machine can be made. */
  readonly creationProblem: string | undefined;
  /** How far the deletion is, while there is one. */
  readonly deletion: { readonly reason: string; readonly message: string } | undefined;
  readonly nowMs: number;
}

/** The conditions that follow from the machines, all but Available. */
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

/** All causes for which any machine is replaced, a new version first. */
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
  // What is stale is listed among the other causes here, so nothing is left to add to it.
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
