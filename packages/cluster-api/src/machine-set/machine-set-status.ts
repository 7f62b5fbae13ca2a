import { labelSelectorFromObject } from '@slipway/kube';
import { isConditionTrue, type NewCondition } from '@slipway/runtime';
import {
  countsAs,
  deletingCondition,
  isDeleting,
  machinesReadyCondition,
  machinesUpToDateCondition,
  type MissingTemplates,
  missingTemplatesMessage,
  type ObservedMachine,
  remediatingCondition,
  scalingDownCondition,
  scalingUpCondition,
  sumVersions,
} from '../machines/index.js';
import type { ObservedMachineSet } from './replica-plan.js';

export interface MachineSetCounters {
  readonly selector: string;
  /** Machines in deletion count until they are gone. */
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
  readonly versions: { version: string; replicas: number }[] | undefined;
}

export function machineSetCounters(set: ObservedMachineSet, machines: readonly ObservedMachine[]): MachineSetCounters {
  const count = (type: 'Ready' | 'Available' | 'UpToDate'): number =>
    machines.filter((machine) => countsAs(machine, type)).length;
  const versions = machines.flatMap(({ spec: { version } }) => (version === undefined ? [] : [{ version }]));
  return {
    selector: labelSelectorFromObject(set.spec.selector).toString(),
    replicas: machines.length,
    readyReplicas: count('Ready'),
    availableReplicas: count('Available'),
    upToDateReplicas: count('UpToDate'),
    versions: sumVersions(versions),
  };
}

export interface MachineSetConditionsInput {
  readonly machineSet: ObservedMachineSet;
  readonly machines: readonly ObservedMachine[];
  readonly missing: MissingTemplates;
  readonly preflightFailures: readonly string[];
  readonly nowMs: number;
}

/** The conditions that follow from what was observed; `Paused` is set where pausing is decided. */
export function machineSetConditions(input: MachineSetConditionsInput): NewCondition[] {
  const { machineSet, machines, nowMs } = input;
  const deleting = isDeleting(machineSet);
  const replicas = machineSet.spec.replicas;
  const scaling = { desired: replicas === undefined || !deleting ? replicas : 0, current: machines.length };
  return [
    scalingUpCondition(scaling, scalingUpTexts(input, deleting)),
    scalingDownCondition(scaling, machines, nowMs),
    machinesReadyCondition(machines),
    machinesUpToDateCondition(machines, nowMs),
    remediatingCondition(machines),
    deletingCondition(deleting, machines, nowMs),
  ];
}

function scalingUpTexts(
  { missing, preflightFailures }: MachineSetConditionsInput,
  deleting: boolean,
): { blocked: string; wouldBeBlocked: string } {
  const missingTemplates = missingTemplatesMessage(missing);
  const blocks = [missingTemplates, ...preflightFailures].filter((text) => text !== '');
  return {
    blocked: blocks.length === 0 ? '' : ` is blocked because:${blocks.map((text) => `\n* ${text}`).join('')}`,
    wouldBeBlocked:
      missingTemplates === '' || deleting ? '' : `Scaling up would be blocked because ${missingTemplates}`,
  };
}

const notAllReadyRetryMs = 15_000;

/** When the counters may change without an event: machines become available by waiting. */
export function countersRetryMs(set: ObservedMachineSet, machines: readonly ObservedMachine[]): number | undefined {
  const { replicas, readyReplicas, availableReplicas } = machineSetCounters(set, machines);
  const minReadySeconds = set.spec.template.spec.minReadySeconds ?? 0;
  const waiting = machines.some(
    (machine) => isConditionTrue(machine, 'Ready') && !isConditionTrue(machine, 'Available'),
  );
  if (minReadySeconds > 0 && waiting && readyReplicas !== availableReplicas) return minReadySeconds * 1000;
  return replicas === readyReplicas ? undefined : notAllReadyRetryMs;
}
