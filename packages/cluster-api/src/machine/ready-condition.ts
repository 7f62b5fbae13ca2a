import { parseTime } from '@slipway/kube';
import { type Condition, conditionReason, getCondition, type NewCondition } from '@slipway/runtime';
import { machineReasons, reasons } from '../api/index.js';
import { isDeleting, type ObservedMachine, slowDrainCauses } from '../machines/index.js';
import { defaultPriority, type MergePriority, reasonByWorst, summaryCondition } from '../toolkit/index.js';

const ownTypes = [
  'Deleting',
  'Updating',
  'BootstrapConfigReady',
  'InfrastructureReady',
  'NodeHealthy',
  'HealthCheckSucceeded',
] as const;

/** Returns the Ready condition: a summary of the conditions set before and of the readiness gates of the user. */
export function readyCondition(machine: ObservedMachine, nowMs: number): NewCondition {
  const gates = machine.spec.readinessGates ?? [];
  const negativeTypes = [
    'Deleting',
    'Updating',
    ...gates.filter(({ polarity }) => polarity === 'Negative').map(({ conditionType }) => conditionType),
  ];
  return summaryCondition(machine, 'Ready', {
    types: [...ownTypes, ...gates.map(({ conditionType }) => conditionType)],
    negativeTypes,
    ignoreIfMissing: ['HealthCheckSucceeded'],
    overrides: isDeleting(machine) ? [deletingInShort(machine, nowMs)] : [],
    strategy: {
      priorityOf: priorityOf(machine, negativeTypes),
      reasonOf: reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready),
      transform: foldControlPlane,
    },
  });
}

/** Reasons of conditions that are expected while a machine is being deleted, because its objects disappear. */
const goneReasons: Readonly<Record<string, readonly string[]>> = {
  BootstrapConfigReady: [reasons.objectDeleted, reasons.objectDoesNotExist],
  InfrastructureReady: [reasons.objectDeleted, reasons.objectDoesNotExist],
  NodeHealthy: [machineReasons.nodeDeleted, machineReasons.nodeDoesNotExist],
};

function priorityOf(
  machine: ObservedMachine,
  negativeTypes: readonly string[],
): (condition: Readonly<Condition>) => MergePriority {
  const byStatus = defaultPriority(negativeTypes);
  if (!isDeleting(machine)) return byStatus;
  return (condition) =>
    goneReasons[condition.type]?.includes(condition.reason) === true ? 'info' : byStatus(condition);
}

const slowDeletionMs = 15 * 60_000;

/** Returns the Deleting condition without details: with few distinct messages, owners can group many machines. */
function deletingInShort(machine: ObservedMachine, nowMs: number): Condition {
  const stage = conditionReason(machine, 'Deleting');
  const since = parseTime(machine.metadata.deletionTimestamp ?? '');
  const isSlow = nowMs - since > slowDeletionMs;
  const causes = isSlow ? slowDrainCauses([machine], nowMs) : '';
  const message = `Machine deletion in progress${isSlow ? ' since more than 15m' : ''}, stage: ${stage}${causes}`;
  const lastTransitionTime = getCondition(machine, 'Deleting')?.lastTransitionTime ?? '';
  return { type: 'Deleting', status: 'True', reason: reasons.deleting, message, lastTransitionTime };
}

const controlPlaneLine = /^\* (?:(?:APIServer|ControllerManager|Scheduler)[^:]*|EtcdPodHealthy):/;

/** Joins control plane components with the same message into one line. */
function foldControlPlane(lines: string[]): string[] {
  const texts = lines.filter((line) => controlPlaneLine.test(line)).map((line) => line.slice(line.indexOf(':')));
  if (texts.length < 2 || new Set(texts).size > 1) return lines;
  let folded = false;
  return lines.flatMap((line) => {
    if (!controlPlaneLine.test(line)) return [line];
    if (folded) return [];
    folded = true;
    return [`* Control plane components${line.slice(line.indexOf(':'))}`];
  });
}

export interface Availability {
  readonly condition: NewCondition;
  /** Time until the machine becomes available without an event, in milliseconds. */
  readonly dueMs?: number;
}

/** Returns the Available condition: Ready for minReadySeconds. The Ready condition must be set before. */
export function availableCondition(machine: ObservedMachine, nowMs: number): Availability {
  const type = 'Available';
  const ready = getCondition(machine, 'Ready');
  if (ready?.status !== 'True') return { condition: { type, status: 'False', reason: reasons.notReady } };
  const minReadyMs = (machine.spec.minReadySeconds ?? 0) * 1000;
  const dueMs = parseTime(ready.lastTransitionTime) + minReadyMs - nowMs;
  // Without minReadySeconds do not wait: after a clock was set back, the transition time may be in the future.
  if (dueMs <= 0 || minReadyMs === 0) return { condition: { type, status: 'True', reason: reasons.available } };
  return { condition: { type, status: 'False', reason: machineReasons.waitingForMinReadySeconds }, dueMs };
}
