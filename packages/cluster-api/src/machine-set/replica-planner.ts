import type { Frozen, RandomSource } from '@slipway/kube';
import { isConditionFalse } from '@slipway/runtime';
import { annotations, type Machine, type MachineSet } from '../api/index.js';
import {
  compareNames,
  createdMs,
  drawUniqueName,
  hasAnnotation,
  isDeleting,
  isUnhealthy,
  isUpdatingInPlace,
  type MissingTemplates,
  missingTemplatesMessage,
  nameOf,
  type ObservedMachine,
} from '../machines/index.js';
import { renderNameTemplate } from '../naming/index.js';

export type ObservedMachineSet = Frozen<MachineSet>;

/** Why no machine is created although the MachineSet has fewer machines than desired. */
type CreateBlock = 'MachineCreationDisabled' | 'TemplatesMissing' | 'PreflightChecksFailed';

/** One machine to create or delete, as printed in rollout transcripts. */
export type ReplicaStep =
  | {
      readonly verb: 'create';
      readonly name: string;
      readonly reason: 'ScalingUp';
      readonly message: string;
    }
  | {
      readonly verb: 'delete';
      readonly name: string;
      readonly uid: string | undefined;
      readonly reason: 'ScalingDown';
      readonly cause: DeletionCause;
      readonly message: string;
    };

export interface ReplicaPlan {
  readonly steps: readonly ReplicaStep[];
  /** Why the set cannot grow. Undefined if nothing prevents it. */
  readonly blocked: { readonly reason: CreateBlock; readonly messages: readonly string[] } | undefined;
  readonly requeueAfterMs: number | undefined;
}

export type MachineIntent = Pick<Machine, 'apiVersion' | 'kind' | 'spec'> & {
  readonly metadata: Pick<
    Machine['metadata'],
    'name' | 'namespace' | 'uid' | 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'
  >;
};

export const preflightRetryMs = 15_000;

export interface ReplicaInput {
  readonly machineSet: ObservedMachineSet;
  /** Machines of the set, including deleting ones. */
  readonly machines: readonly ObservedMachine[];
  readonly missing: MissingTemplates;
  /** The result of the preflight checks, used only if machines must be created. */
  readonly preflightFailures: readonly string[];
  readonly nowMs: number;
  /** Random source for the names of new machines. */
  readonly random: RandomSource;
}

const nothing: ReplicaPlan = { steps: [], blocked: undefined, requeueAfterMs: undefined };

/**
 * Plans which machines a MachineSet creates or deletes. Deleting machines still count as replicas and are replaced only when they
 * are gone: otherwise a slow deletion would double the cost.
 */
export function planReplicas(input: ReplicaInput): ReplicaPlan {
  const { machineSet, machines } = input;
  const desired = machineSet.spec.replicas;
  if (desired === undefined || isDeleting(machineSet)) return nothing;
  const missing = desired - machines.length;
  if (missing > 0) return planGrowth(input, missing);
  return missing < 0 ? { ...nothing, steps: planShrinking(input, -missing) } : nothing;
}

function planGrowth(input: ReplicaInput, count: number): ReplicaPlan {
  const blocked = whyBlocked(input);
  if (blocked !== undefined) {
    const requeueAfterMs = blocked.reason === 'PreflightChecksFailed' ? preflightRetryMs : undefined;
    return { steps: [], blocked, requeueAfterMs };
  }
  const { machineSet, machines, random } = input;
  const taken = new Set(machines.map(nameOf));
  const message = `${machines.length} of ${machineSet.spec.replicas ?? 0} machines exist`;
  const steps = Array.from({ length: count }, (): ReplicaStep => {
    const name = drawMachineName(machineSet, taken, random);
    taken.add(name);
    return { verb: 'create', name, reason: 'ScalingUp', message };
  });
  return { ...nothing, steps };
}

function whyBlocked({ machineSet, missing, preflightFailures }: ReplicaInput): ReplicaPlan['blocked'] {
  if (machineSet.metadata.annotations?.[annotations.disableMachineCreate] === 'true') {
    const message = `the MachineSet has the annotation ${annotations.disableMachineCreate}`;
    return { reason: 'MachineCreationDisabled', messages: [message] };
  }
  const missingTemplates = missingTemplatesMessage(missing);
  if (missingTemplates !== '') return { reason: 'TemplatesMissing', messages: [missingTemplates] };
  if (preflightFailures.length > 0) return { reason: 'PreflightChecksFailed', messages: preflightFailures };
  return undefined;
}

function planShrinking({ machineSet, machines, nowMs }: ReplicaInput, count: number): ReplicaStep[] {
  const order = machineSet.spec.deletion?.order ?? 'Random';
  const message = `${machines.length} machines exist, ${machineSet.spec.replicas ?? 0} are desired`;
  // Deleting machines sort first. They count towards the number of machines to delete, and are not deleted twice.
  return inDeletionOrder(machines, order, nowMs)
    .slice(0, count)
    .filter(({ machine }) => !isDeleting(machine))
    .map(({ machine, cause }) => ({
      verb: 'delete',
      name: nameOf(machine),
      uid: machine.metadata.uid,
      reason: 'ScalingDown',
      cause,
      message,
    }));
}

export type DeletionOrder = 'Random' | 'Newest' | 'Oldest';

/** Why a machine is deleted before others. */
type DeletionCause = 'AlreadyDeleting' | 'MarkedForDeletion' | 'UpdatingInPlace' | 'Unhealthy' | DeletionOrder;

export interface DeletionPriority {
  /** Machines with higher values are deleted first. */
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

/**
 * Returns the deletion priority by age, which stays below that of an unhealthy machine. With `Random` all values are equal, so
 * that the order by name is deterministic.
 */
function valueByOrder(machine: ObservedMachine, order: DeletionOrder, nowMs: number): number {
  if (order === 'Random') return randomValue;
  const ageSeconds = Math.max((nowMs - createdMs(machine)) / 1000, 0);
  const oldest = unhealthyValue * (1 - Math.exp(-ageSeconds / ageScaleSeconds));
  return order === 'Oldest' ? oldest : unhealthyValue - oldest;
}

interface MachineToDelete {
  readonly machine: ObservedMachine;
  readonly cause: DeletionCause;
}

/** Returns the machines in deletion order. */
function inDeletionOrder(machines: readonly ObservedMachine[], order: DeletionOrder, nowMs: number): MachineToDelete[] {
  return machines
    .map((machine) => ({ machine, ...deletionPriority(machine, order, nowMs) }))
    .sort((left, right) => right.value - left.value || compareNames(left.machine, right.machine))
    .map(({ machine, cause }) => ({ machine, cause }));
}

const templateDefault = '{{ .machineSet.name }}-{{ .random }}';
const nameLengthMax = 63;

/** Returns the name of a new machine, which its bootstrap configuration and infrastructure share. */
export function drawMachineName(set: ObservedMachineSet, taken: ReadonlySet<string>, random: RandomSource): string {
  const template = set.spec.machineNaming?.template ?? templateDefault;
  const values = { cluster: { name: set.spec.clusterName }, machineSet: { name: nameOf(set) } };
  const nameWith = (suffix: string): string => {
    const name = renderNameTemplate(template, { ...values, random: suffix });
    // Truncate the front part, so that the unique suffix is kept.
    return name.length <= nameLengthMax ? name : name.slice(0, nameLengthMax - suffix.length) + suffix;
  };
  return drawUniqueName(nameWith, (name) => taken.has(name), random).name;
}
