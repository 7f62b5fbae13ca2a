import { hasCondition, type NewCondition } from '@slipway/runtime';
import { reasons } from '../api/index.js';
import { aggregateCondition, reasonByWorst } from '../toolkit/index.js';
import { createdMs, isOwnerToRemediate, isUnhealthy, type ObservedMachine } from './machine.js';
import { staleMachinesMessage, unhealthyMachinesMessage } from './machine-messages.js';

/** How long a new machine may have no UpToDate condition. */
const upToDateGraceMs = 10_000;

export function machinesReadyCondition(machines: readonly ObservedMachine[]): NewCondition {
  if (machines.length === 0) return { type: 'MachinesReady', status: 'True', reason: reasons.noReplicas };
  return aggregateCondition(machines, 'Ready', {
    targetType: 'MachinesReady',
    strategy: { reasonOf: reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready) },
  });
}

/**
 * Returns the MachinesUpToDate condition. Ignores new machines without UpToDate for a grace period, so that the condition does
 * not flap.
 */
export function machinesUpToDateCondition(machines: readonly ObservedMachine[], nowMs: number): NewCondition {
  const known = machines.filter(
    (machine) => hasCondition(machine, 'UpToDate') || nowMs - createdMs(machine) > upToDateGraceMs,
  );
  if (known.length === 0) return { type: 'MachinesUpToDate', status: 'True', reason: reasons.noReplicas };
  return aggregateCondition(known, 'UpToDate', {
    targetType: 'MachinesUpToDate',
    strategy: { reasonOf: reasonByWorst(reasons.notUpToDate, reasons.upToDateUnknown, reasons.upToDate) },
  });
}

/** Returns the time until the grace period of a machine without UpToDate ends, in milliseconds. No event reports it. */
export function upToDateDueMs(machines: readonly ObservedMachine[], nowMs: number): number | undefined {
  const left = machines
    .filter((machine) => !hasCondition(machine, 'UpToDate'))
    .map((machine) => createdMs(machine) + upToDateGraceMs - nowMs)
    .filter((ms) => ms >= 0);
  return left.length === 0 ? undefined : Math.min(...left) + 1;
}

export function remediatingCondition(machines: readonly ObservedMachine[]): NewCondition {
  const remediated = machines.filter(isOwnerToRemediate);
  if (remediated.length === 0) {
    const message = unhealthyMachinesMessage(machines.filter(isUnhealthy));
    return { type: 'Remediating', status: 'False', reason: reasons.notRemediating, message };
  }
  const { message } = aggregateCondition(remediated, 'OwnerRemediated');
  return { type: 'Remediating', status: 'True', reason: reasons.remediating, message: message ?? '' };
}

export interface ScalingState {
  /** Desired replicas. Undefined if spec.replicas is not set. */
  readonly desired: number | undefined;
  readonly current: number;
}

const waitingForReplicas = {
  status: 'Unknown',
  reason: reasons.waitingForReplicasSet,
  message: 'Waiting for spec.replicas set',
} as const;

export function scalingDownCondition(
  { desired, current }: ScalingState,
  machines: readonly ObservedMachine[],
  nowMs: number,
): NewCondition {
  if (desired === undefined) return { type: 'ScalingDown', ...waitingForReplicas };
  if (current <= desired) return { type: 'ScalingDown', status: 'False', reason: reasons.notScalingDown };
  const stale = staleMachinesMessage(machines, nowMs);
  const message = `Scaling down from ${current} to ${desired} replicas${stale === '' ? '' : `\n* ${stale}`}`;
  return { type: 'ScalingDown', status: 'True', reason: reasons.scalingDown, message };
}

export interface ScalingUpTexts {
  /** What blocks a scale-up, appended to the message while scaling up. */
  readonly blocked: string;
  /** The message while no scale-up is needed but one would be blocked. */
  readonly wouldBeBlocked: string;
}

export function scalingUpCondition({ desired, current }: ScalingState, texts: ScalingUpTexts): NewCondition {
  if (desired === undefined) return { type: 'ScalingUp', ...waitingForReplicas };
  if (current >= desired)
    return { type: 'ScalingUp', status: 'False', reason: reasons.notScalingUp, message: texts.wouldBeBlocked };
  const message = `Scaling up from ${current} to ${desired} replicas${texts.blocked}`;
  return { type: 'ScalingUp', status: 'True', reason: reasons.scalingUp, message };
}

/** Returns the Deleting condition. `leftovers` is the message if only objects other than machines are left. */
export function deletingCondition(
  deleting: boolean,
  machines: readonly ObservedMachine[],
  nowMs: number,
  leftovers = '',
): NewCondition {
  if (!deleting) return { type: 'Deleting', status: 'False', reason: reasons.notDeleting };
  const stale = staleMachinesMessage(machines, nowMs);
  const count = `Deleting ${machines.length} ${machines.length === 1 ? 'Machine' : 'Machines'}`;
  const remaining = `${count}${stale === '' ? '' : `\n* ${stale}`}`;
  const message = machines.length > 0 ? remaining : leftovers || 'Deletion completed';
  return { type: 'Deleting', status: 'True', reason: reasons.deleting, message };
}
