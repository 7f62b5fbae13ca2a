import { formatTime, type Frozen, parseTime } from '@slipway/kube';
import {
  ifPresent,
  type Index,
  type Node,
  nodes,
  type Outcome,
  persistentVolumes,
  retry,
  volumeAttachments,
  wait,
} from '@slipway/runtime';
import { type MachineDrainRule, machineDrainRules, machineReasons, machines } from '../api/index.js';
import {
  getV1beta1Condition,
  markFalse,
  markTrue,
  type V1beta1Conditioned,
  type WorkloadCluster,
} from '../toolkit/index.js';
import { connectedCluster, isUnreachable } from '../workload/index.js';
import { stepLimitMs } from './deletion-plan.js';
import { drainMessage, drainNode, type DrainRule, drainRulesFor, isDrained, planNodeDrain } from './drain/index.js';
import {
  changeMachine,
  changeV1beta1,
  type MachineScope,
  recordEvent,
  statusOf,
  reportDeleting,
} from './machine-scope.js';
import { ownedConditions } from './machine-status.js';
import { attachedVolumes, isDetached, volumesMessage } from './volume-detach.js';

const rulesByNamespace: Index<MachineDrainRule> = {
  name: 'namespace',
  valuesOf: ({ metadata }) => [metadata.namespace ?? ''],
};

const retryMsMin = 1_000;
const retryMsMax = 20_000;

/** Evicts the pods of the Node. Returns undefined when the drain is complete. */
export async function drainMachine(scope: MachineScope): Promise<Outcome | undefined> {
  const startedAt = await noteStart(scope, 'nodeDrainStartTime');
  const started = `Drain not completed yet (started at ${startedAt}):`;
  reportDeleting(scope, machineReasons.drainingNode, started);
  const name = scope.machine.status?.nodeRef?.name ?? '';
  try {
    const message = await drainOnce(scope, name, startedAt);
    if (message !== undefined) return keepDraining(scope, message, startedAt);
  } catch (error) {
    return drainFailed(scope, name, error);
  }
  changeV1beta1(scope, (target) => markTrue(target, 'DrainingSucceeded', scope.nowMs));
  const message = `success draining Machine's node "${name}"`;
  recordEvent(scope, { type: 'Normal', reason: 'SuccessfulDrainNode', message });
  return undefined;
}

/** Runs one drain step. Returns a message about the remaining pods, or undefined if there are none. */
async function drainOnce(scope: MachineScope, name: string, startedAt: string): Promise<string | undefined> {
  const { workload, node } = await readNode(scope, name);
  if (node === undefined) return undefined;
  const result = await drainNode(node, { workload, context: scope.context, rules: rulesFor(scope) });
  return isDrained(result) ? undefined : drainMessage(result, startedAt);
}

function keepDraining(scope: MachineScope, message: string, startedAt: string): Outcome {
  const cause = { reason: 'Draining', severity: 'Info', message } as const;
  changeV1beta1(scope, (target) => markFalse(target, 'DrainingSucceeded', cause, scope.nowMs));
  reportDeleting(scope, machineReasons.drainingNode, message);
  const limitMs = stepLimitMs(startedAt, scope.machine.spec.deletion?.nodeDrainTimeoutSeconds, scope.nowMs);
  return wait({ ms: retryMs(startedAt, scope.nowMs, limitMs), reason: machineReasons.drainingNode, message });
}

function drainFailed(scope: MachineScope, name: string, error: unknown): Outcome {
  const failure = error instanceof Error ? error : new Error(String(error), { cause: error });
  const cause = { reason: 'DrainingFailed', severity: 'Warning', message: failure.message } as const;
  changeV1beta1(scope, (target) => markFalse(target, 'DrainingSucceeded', cause, scope.nowMs));
  const conditionMessage = `Error draining Node, please check controller logs for errors: ${failure.message}`;
  reportDeleting(scope, machineReasons.drainingNode, conditionMessage);
  const message = `error draining Machine's node "${name}": ${failure.message}`;
  recordEvent(scope, { type: 'Warning', reason: 'FailedDrainNode', message });
  return retry(failure);
}

/**
 * Returns the poll interval, which grows from one second. Pods are not watched: most clusters have far more of them than a drain
 * needs.
 */
function retryMs(startedAt: string, nowMs: number, limitMs: number | undefined): number {
  const timeout = Math.min(Math.max((nowMs - parseTime(startedAt)) / 2, retryMsMin), retryMsMax);
  return limitMs === undefined ? timeout : Math.min(timeout, limitMs);
}

const stepStarted = {
  nodeDrainStartTime: { reason: machineReasons.drainingNode, message: 'Recorded the start of the drain' },
  waitForNodeVolumeDetachStartTime: {
    reason: machineReasons.waitingForVolumeDetach,
    message: 'Recorded the start of waiting for volumes to be detached',
  },
} as const;

/** Writes the start time of a step to the status before the step starts, so that a restart does not reset it. */
async function noteStart(
  scope: MachineScope,
  field: 'nodeDrainStartTime' | 'waitForNodeVolumeDetachStartTime',
): Promise<string> {
  const noted = scope.machine.status?.deletion?.[field];
  if (noted !== undefined) return noted;
  const startedAt = formatTime(scope.nowMs);
  changeMachine(scope, (draft) => {
    const status = statusOf(draft);
    status.deletion = { ...status.deletion, [field]: startedAt };
  });
  const stored = await scope.context.change({
    verb: 'patch',
    resource: machines,
    before: scope.stored,
    after: scope.machine,
    ownedConditions,
    ...stepStarted[field],
  });
  scope.stored = stored;
  scope.machine = stored;
  return startedAt;
}

async function readNode(
  { dependencies, clusterKey, context }: MachineScope,
  name: string,
): Promise<{ readonly workload: WorkloadCluster; readonly node: Frozen<Node> | undefined }> {
  const workload = connectedCluster(dependencies.workloads, clusterKey);
  const { signal } = context;
  return { workload, node: await ifPresent(workload.read.get(nodes, { namespace: '', name }, { signal })) };
}

function rulesFor({ context, machine, cluster }: MachineScope): DrainRule[] {
  const source = context.sources.sourceFor(machineDrainRules);
  const all = source.byIndex(rulesByNamespace, machine.metadata.namespace ?? '');
  return drainRulesFor(all, machine, cluster ?? { metadata: {} });
}

/** Waits until all volumes are detached from the Node. Returns undefined when they are. */
export async function waitForVolumes(scope: MachineScope): Promise<Outcome | undefined> {
  const startedAt = await noteStart(scope, 'waitForNodeVolumeDetachStartTime');
  const reason = machineReasons.waitingForVolumeDetach;
  const name = scope.machine.status?.nodeRef?.name ?? '';
  changeV1beta1(scope, (target) => {
    if (getV1beta1Condition(target as V1beta1Conditioned, 'VolumeDetachSucceeded') !== undefined) return;
    const cause = { reason, severity: 'Info', message: 'Waiting for node volumes to be detached' } as const;
    markFalse(target, 'VolumeDetachSucceeded', cause, scope.nowMs);
  });
  try {
    const message = await volumesLeft(scope, name, startedAt);
    if (message !== undefined) {
      reportDeleting(scope, reason, message);
      const limit = scope.machine.spec.deletion?.nodeVolumeDetachTimeoutSeconds;
      const limitMs = stepLimitMs(startedAt, limit, scope.nowMs);
      return wait({ ms: retryMs(startedAt, scope.nowMs, limitMs), reason, message });
    }
  } catch (error) {
    return volumesFailed(scope, name, error);
  }
  changeV1beta1(scope, (target) => markTrue(target, 'VolumeDetachSucceeded', scope.nowMs));
  const message = `success waiting for node volumes detaching Machine's node "${name}"`;
  recordEvent(scope, { type: 'Normal', reason: 'NodeVolumesDetached', message });
  return undefined;
}

function volumesFailed(scope: MachineScope, name: string, error: unknown): Outcome {
  const failure = error instanceof Error ? error : new Error(String(error), { cause: error });
  const conditionMessage =
    'Error waiting for volumes to be detached from Node, please check controller logs for errors';
  reportDeleting(scope, machineReasons.waitingForVolumeDetach, `${conditionMessage}: ${failure.message}`);
  const message = `error waiting for node volumes detaching, Machine's node "${name}": ${failure.message}`;
  recordEvent(scope, { type: 'Warning', reason: 'FailedWaitForVolumeDetach', message });
  return retry(failure);
}

/** Returns a message about the volumes to wait for. Undefined if there are none. */
async function volumesLeft(scope: MachineScope, name: string, startedAt: string): Promise<string | undefined> {
  const { workload, node } = await readNode(scope, name);
  // Volumes stay attached to an unreachable Node until the Node is known to be off. Do not wait for them.
  if (node === undefined || isUnreachable(node)) return undefined;
  const { signal } = scope.context;
  const attachments = scope.dependencies.featureGates.isOpen('MachineWaitForVolumeDetachConsiderVolumeAttachments')
    ? (await workload.read.list(volumeAttachments, { signal })).items.filter(({ spec }) => spec.nodeName === name)
    : [];
  const isAttached = attachments.some(({ status }) => status?.attached === true);
  if (!isAttached && (node.status?.volumesAttached ?? []).length === 0) return undefined;
  const plan = await planNodeDrain(node, { workload, context: scope.context, rules: rulesFor(scope) });
  const { items: volumes } = await workload.read.list(persistentVolumes, { signal });
  const attached = attachedVolumes({ node, attachments, volumes, skippedPods: plan.skipped });
  return isDetached(attached) ? undefined : volumesMessage(attached, startedAt);
}
