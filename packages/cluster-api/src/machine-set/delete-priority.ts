import { isConditionFalse } from '@slipway/runtime';
import { annotations } from '../api/index.js';
import {
  compareNames,
  createdMs,
  hasAnnotation,
  isDeleting,
  isUnhealthy,
  isUpdatingInPlace,
  type ObservedMachine,
} from '../machines/index.js';

export type DeletionOrder = 'Random' | 'Newest' | 'Oldest';

/** Why a machine goes before others. */
export type DeletionCause = 'AlreadyDeleting' | 'MarkedForDeletion' | 'UpdatingInPlace' | 'Unhealthy' | DeletionOrder;

export interface DeletionPriority {
  /** Higher goes first. */
  readonly value: number;
  readonly cause: DeletionCause;
}

const unhealthyValue = 50;
const randomValue = 20;
const ageScaleSeconds = 10 * 24 * 3600;

export function deletionPriority(machine: ObservedMachine, order: DeletionOrder, nowMs: number): DeletionPriority {
  if (isDeleting(machine)) return { value: 100, cause: 'AlreadyDeleting' };
  if (hasAnnotation(machine, annotations.deleteMachine)) return { value: 80, cause: 'MarkedForDeletion' };
  if (isUpdatingInPlace(machine)) return { value: 75, cause: 'UpdatingInPlace' };
  if (doesNoWork(machine)) return { value: unhealthyValue, cause: 'Unhealthy' };
  return { value: valueByOrder(machine, order, nowMs), cause: order };
}

function doesNoWork(machine: ObservedMachine): boolean {
  return machine.status?.nodeRef === undefined || isConditionFalse(machine, 'NodeHealthy') || isUnhealthy(machine);
}

/** Approaches, but never reaches, what an unhealthy machine has. `Random` is no dice: equal values go by name. */
function valueByOrder(machine: ObservedMachine, order: DeletionOrder, nowMs: number): number {
  if (order === 'Random') return randomValue;
  const ageSeconds = Math.max((nowMs - createdMs(machine)) / 1000, 0);
  const oldest = unhealthyValue * (1 - Math.exp(-ageSeconds / ageScaleSeconds));
  return order === 'Oldest' ? oldest : unhealthyValue - oldest;
}

export interface MachineToDelete {
  readonly machine: ObservedMachine;
  readonly cause: DeletionCause;
}

/** The machines in the order in which they go when a set shrinks. */
export function inDeletionOrder(
  machines: readonly ObservedMachine[],
  order: DeletionOrder,
  nowMs: number,
): MachineToDelete[] {
  return machines
    .map((machine) => ({ machine, ...deletionPriority(machine, order, nowMs) }))
    .sort((left, right) => right.value - left.value || compareNames(left.machine, right.machine))
    .map(({ machine, cause }) => ({ machine, cause }));
}
