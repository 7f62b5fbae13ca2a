import type { RandomSource } from '@slipway/kube';
import { annotations } from '../api/index.js';
import {
  isDeleting,
  type MissingTemplates,
  missingTemplatesMessage,
  nameOf,
  type ObservedMachine,
} from '../machines/index.js';
import { inDeletionOrder } from './delete-priority.js';
import { drawMachineName } from './machine-name.js';
import type { ObservedMachineSet, ReplicaChange, ReplicaPlan } from './replica-plan.js';

export const preflightRetryMs = 15_000;

export interface ReplicaInput {
  readonly machineSet: ObservedMachineSet;
  /** Those of the set, with those in deletion. */
  readonly machines: readonly ObservedMachine[];
  readonly missing: MissingTemplates;
  /** What the preflight checks found; looked at only when machines are to be made. */
  readonly preflightFailures: readonly string[];
  readonly nowMs: number;
  /** For the names of new machines. */
  readonly random: RandomSource;
}

const nothing: ReplicaPlan = { changes: [], blocked: undefined, requeueAfterMs: undefined };

/**
 * Which machines a set makes or deletes. Machines in deletion still count: what replaces them is made when they are gone,
 * or a slow deletion would double what is paid for.
 */
export function planReplicas(input: ReplicaInput): ReplicaPlan {
  const { machineSet, machines } = input;
  const wanted = machineSet.spec.replicas;
  if (wanted === undefined || isDeleting(machineSet)) return nothing;
  const missing = wanted - machines.length;
  if (missing > 0) return planGrowth(input, missing);
  return missing < 0 ? { ...nothing, changes: planShrinking(input, -missing) } : nothing;
}

function planGrowth(input: ReplicaInput, count: number): ReplicaPlan {
  const blocked = whyBlocked(input);
  if (blocked !== undefined) {
    const requeueAfterMs = blocked.reason === 'PreflightChecksFailed' ? preflightRetryMs : undefined;
    return { changes: [], blocked, requeueAfterMs };
  }
  const { machineSet, machines, random } = input;
  const taken = new Set(machines.map(nameOf));
  const message = `${machines.length} of ${machineSet.spec.replicas ?? 0} machines exist`;
  const changes = Array.from({ length: count }, (): ReplicaChange => {
    const name = drawMachineName(machineSet, taken, random);
    taken.add(name);
    return { verb: 'create', name, reason: 'ScalingUp', message };
  });
  return { ...nothing, changes };
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

function planShrinking({ machineSet, machines, nowMs }: ReplicaInput, count: number): ReplicaChange[] {
  const order = machineSet.spec.deletion?.order ?? 'Random';
  const message = `${machines.length} machines exist, ${machineSet.spec.replicas ?? 0} are wanted`;
  // Those in deletion come first in the order: they make up for what has to go, and are not deleted twice.
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
