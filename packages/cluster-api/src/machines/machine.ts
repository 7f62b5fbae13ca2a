import type { Frozen, ObjectMeta } from '@slipway/kube';
import { parseTime } from '@slipway/kube';
import { hasAnnotation, isConditionFalse, isConditionTrue, isDeleting } from '@slipway/runtime';
import { annotations, inPlaceUpdateAnnotations, labels } from '../api/index.js';
import type { Machine } from '../api/index.js';

export { hasAnnotation, isDeleting };

/** A Machine from the cache: shared and immutable. */
export type ObservedMachine = Frozen<Machine>;

interface HasMetadata {
  readonly metadata: Pick<
    Frozen<ObjectMeta>,
    'name' | 'annotations' | 'creationTimestamp' | 'deletionTimestamp' | 'labels'
  >;
}

export function nameOf(object: HasMetadata): string {
  return object.metadata.name ?? '';
}

/** Returns the creation time in milliseconds since the epoch. An object that is not stored yet counts as the oldest. */
export function createdMs(object: HasMetadata): number {
  const timestamp = object.metadata.creationTimestamp ?? '';
  return timestamp === '' ? 0 : parseTime(timestamp);
}

export function isControlPlaneMachine(machine: HasMetadata): boolean {
  return Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane);
}

/** Whether an annotation requests remediation, whatever the health of the machine. */
export function isMarkedForRemediation(machine: ObservedMachine): boolean {
  return hasAnnotation(machine, annotations.remediateMachine);
}

export function isUpdatingInPlace(machine: ObservedMachine): boolean {
  return hasAnnotation(machine, inPlaceUpdateAnnotations.updateInProgress);
}

export function isUnhealthy(machine: ObservedMachine): boolean {
  return isConditionFalse(machine, 'HealthCheckSucceeded');
}

/** Whether a health check failed and the owner of the machine must remediate it. */
export function isOwnerToRemediate(machine: ObservedMachine): boolean {
  return isUnhealthy(machine) && isConditionFalse(machine, 'OwnerRemediated');
}

/**
 * Whether the machine counts as Ready, Available or UpToDate. A machine during an in-place update never counts as available,
 * because the update may break it at any time.
 */
export function countsAs(machine: ObservedMachine, type: 'Ready' | 'Available' | 'UpToDate'): boolean {
  return isConditionTrue(machine, type) && !isUpdatingInPlace(machine);
}

export function compareNames(left: HasMetadata, right: HasMetadata): number {
  const [a, b] = [nameOf(left), nameOf(right)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Compares by age, oldest first, then by name: creation times have a resolution of one second. */
export function compareAges(left: HasMetadata, right: HasMetadata): number {
  return createdMs(left) - createdMs(right) || compareNames(left, right);
}
