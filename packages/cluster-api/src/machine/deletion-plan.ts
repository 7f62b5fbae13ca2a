import { type Frozen, type KubeObject, parseTime } from '@slipway/kube';
import { hasAnnotation } from '@slipway/runtime';
import { annotations, deletionHookPrefixes } from '../api/index.js';
import { isDeleting, type ObservedMachine } from '../machines/index.js';

export type DeletionStep =
  | 'waitForPreDrainHooks'
  | 'drain'
  | 'waitForVolumes'
  | 'waitForPreTerminateHooks'
  | 'deleteInfrastructure'
  | 'deleteBootstrap'
  | 'deleteNode';

export interface DeletionInput {
  readonly machine: ObservedMachine;
  /** Undefined if the infrastructure object no longer exists. */
  readonly infrastructure: Frozen<KubeObject> | undefined;
  /** Why the Node is neither drained nor deleted. Undefined if both must be done. */
  readonly nodeKept: string | undefined;
  readonly nowMs: number;
}

/** Returns the steps before a Machine is deleted, in order. Completed steps are omitted. The first step blocks those after it. */
export function planDeletion(input: DeletionInput): DeletionStep[] {
  const { machine, nodeKept } = input;
  const withNode = nodeKept === undefined;
  const steps: readonly (readonly [step: DeletionStep, isNeeded: boolean])[] = [
    ['waitForPreDrainHooks', withNode && hooksOf(machine, 'preDrain').length > 0],
    ['drain', withNode && isDrainNeeded(input)],
    ['waitForVolumes', withNode && isVolumeWaitNeeded(input)],
    ['waitForPreTerminateHooks', hooksOf(machine, 'preTerminate').length > 0],
    ['deleteInfrastructure', true],
    ['deleteBootstrap', machine.spec.bootstrap.configRef !== undefined],
    ['deleteNode', withNode],
  ];
  return steps.filter(([, isNeeded]) => isNeeded).map(([step]) => step);
}

/** Returns the annotations that block a deletion at a step, sorted. */
export function hooksOf(machine: ObservedMachine, step: keyof typeof deletionHookPrefixes): string[] {
  const prefix = deletionHookPrefixes[step];
  return Object.keys(machine.metadata.annotations ?? {})
    .filter((name) => name.startsWith(prefix))
    .sort();
}

function isDrainNeeded(input: DeletionInput): boolean {
  const { machine, nowMs } = input;
  if (hasAnnotation(machine, annotations.excludeNodeDraining) || isPastTheNode(input)) return false;
  const { nodeDrainTimeoutSeconds } = machine.spec.deletion ?? {};
  return !isOver(machine.status?.deletion?.nodeDrainStartTime, nodeDrainTimeoutSeconds, nowMs);
}

function isVolumeWaitNeeded(input: DeletionInput): boolean {
  const { machine, nowMs } = input;
  if (hasAnnotation(machine, annotations.excludeWaitForNodeVolumeDetach) || isPastTheNode(input)) return false;
  const { nodeVolumeDetachTimeoutSeconds } = machine.spec.deletion ?? {};
  return !isOver(machine.status?.deletion?.waitForNodeVolumeDetachStartTime, nodeVolumeDetachTimeoutSeconds, nowMs);
}

/**
 * Whether the deletion is past the drain: it has reached the pre-terminate hooks, or the infrastructure is being deleted. Pods
 * that remain on the Node belong to a hook or end with the machine.
 */
function isPastTheNode({ machine, infrastructure }: DeletionInput): boolean {
  if (machine.status?.deletion?.waitForPreTerminateHookStartTime !== undefined) return true;
  return infrastructure === undefined || isDeleting(infrastructure);
}

/** Whether a time limit has passed. Undefined and 0 mean no limit. */
function isOver(startedAt: string | undefined, limitSeconds: number | undefined, nowMs: number): boolean {
  if (startedAt === undefined || limitSeconds === undefined || limitSeconds <= 0) return false;
  return nowMs - parseTime(startedAt) >= limitSeconds * 1000;
}

/** Whether deleting the Node has timed out, measured from the deletion timestamp of the Machine. */
export function isNodeDeletionOver(machine: ObservedMachine, nowMs: number): boolean {
  const { deletionTimestamp } = machine.metadata;
  const { nodeDeletionTimeoutSeconds } = machine.spec.deletion ?? {};
  return isOver(deletionTimestamp ?? undefined, nodeDeletionTimeoutSeconds, nowMs);
}

/** Returns the time until a step times out, in milliseconds. Undefined without a limit. */
export function stepLimitMs(
  startedAt: string | undefined,
  limitSeconds: number | undefined,
  nowMs: number,
): number | undefined {
  if (startedAt === undefined || limitSeconds === undefined || limitSeconds <= 0) return undefined;
  return Math.max(parseTime(startedAt) + limitSeconds * 1000 - nowMs, 0);
}
