import { labelSelectorFromObject, parseTime } from '@slipway/kube';
import {
  type ConditionTarget,
  edit,
  getCondition,
  isConditionTrue,
  type NewCondition,
  setCondition,
  type Summaries,
} from '@slipway/runtime';
import type { MachineSet } from '../api/index.js';
import { missingTemplates } from '../machine-templates/index.js';
import {
  aggregateV1beta1Ready,
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
} from '../machines/index.js';
import {
  type ConditionSeverity,
  markFalse,
  markTrue,
  pausedCondition,
  setV1beta1Condition,
  setV1beta1Summary,
  type V1beta1Target,
} from '../toolkit/index.js';
import { sumVersions } from '../version/index.js';
import type { CreationFailure, MachineSetScope } from './machine-set-scope.js';
import type { ObservedMachineSet } from './replica-planner.js';

export interface MachineSetCounters {
  readonly selector: string;
  /** Number of machines, including deleting ones. */
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

/** Returns the conditions computed from the observed state. The pause check sets `Paused`. */
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

/**
 * Returns the time until a counter may change without an event, in milliseconds: a machine becomes available after
 * minReadySeconds.
 */
export function countersRetryMs(set: ObservedMachineSet, machines: readonly ObservedMachine[]): number | undefined {
  const { replicas, readyReplicas, availableReplicas } = machineSetCounters(set, machines);
  const minReadySeconds = set.spec.template.spec.minReadySeconds ?? 0;
  const waiting = machines.some(
    (machine) => isConditionTrue(machine, 'Ready') && !isConditionTrue(machine, 'Available'),
  );
  if (minReadySeconds > 0 && waiting && readyReplicas !== availableReplicas) return minReadySeconds * 1000;
  return replicas === readyReplicas ? undefined : notAllReadyRetryMs;
}

/** Counters of the v1beta1 status, which count ready Nodes instead of machine conditions. */
export interface DeprecatedCounters {
  readonly fullyLabeledReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
}

export function deprecatedCounters(
  set: ObservedMachineSet,
  machines: readonly ObservedMachine[],
  nowMs: number,
): DeprecatedCounters {
  const desired = Object.entries(set.spec.template.metadata?.labels ?? {});
  const minReadyMs = (set.spec.template.spec.minReadySeconds ?? 0) * 1000;
  const labeled = machines.filter(({ metadata }) => desired.every(([key, value]) => metadata.labels?.[key] === value));
  // Use the Node conditions that Machines mirror: reading Nodes from every workload cluster would add no information.
  const readySince = machines.flatMap((machine) => {
    const ready = machine.status?.nodeRef === undefined ? undefined : getCondition(machine, 'NodeReady');
    return ready?.status === 'True' ? [parseTime(ready.lastTransitionTime)] : [];
  });
  return {
    fullyLabeledReplicas: labeled.length,
    readyReplicas: readySince.length,
    availableReplicas: readySince.filter((sinceMs) => hasLasted(sinceMs, minReadyMs, nowMs)).length,
  };
}

/**
 * Whether a state has lasted for `leastMs`. Always true if that is 0: after a clock was set back, `sinceMs` may be in the future.
 */
function hasLasted(sinceMs: number, leastMs: number, nowMs: number): boolean {
  return leastMs === 0 || sinceMs + leastMs <= nowMs;
}

export interface DeprecatedConditionsInput {
  readonly machines: readonly ObservedMachine[];
  /** The number of machines in the status. */
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly creationFailure: CreationFailure | undefined;
  readonly nowMs: number;
}

const severity: ConditionSeverity = 'Warning';

/** Sets the v1beta1 conditions on a draft. */
export function setDeprecatedConditions(draft: MachineSet, input: DeprecatedConditionsInput): void {
  const { machines, replicas: actual, readyReplicas, creationFailure, nowMs } = input;
  const target = draft as V1beta1Target;
  const desired = isDeleting(draft) ? 0 : (draft.spec.replicas ?? 0);
  if (creationFailure !== undefined)
    markFalse(target, 'MachinesCreated', { ...creationFailure, severity: 'Error' }, nowMs);
  else if (actual >= desired) markTrue(target, 'MachinesCreated', nowMs);
  if (actual < desired) {
    const message = `Scaling up MachineSet to ${desired} replicas (actual ${actual})`;
    markFalse(target, 'Resized', { reason: 'ScalingUp', severity, message }, nowMs);
  } else if (actual > desired) {
    const message = `Scaling down MachineSet to ${desired} replicas (actual ${actual})`;
    markFalse(target, 'Resized', { reason: 'ScalingDown', severity, message }, nowMs);
  } else if (readyReplicas === actual) markTrue(target, 'Resized', nowMs);
  const ready = machines.length === 0 ? ({ status: 'True' } as const) : aggregateV1beta1Ready(machines);
  if (ready !== undefined) setV1beta1Condition(target, { type: 'MachinesReady', ...ready }, nowMs);
  setV1beta1Summary(target, { types: ['MachinesCreated', 'Resized', 'MachinesReady'] }, nowMs);
}

/** All condition types that this controller writes on a MachineSet, in both styles. */
export const ownedConditions = [
  'Paused',
  'ScalingUp',
  'ScalingDown',
  'MachinesReady',
  'MachinesUpToDate',
  'Remediating',
  'Deleting',
  'Ready',
  'MachinesCreated',
  'Resized',
] as const;

/** The parts of the status that sum up machines. */
export const summaries: Summaries = { conditions: ['MachinesReady', 'MachinesUpToDate'], messages: ['Ready'] };

/** Returns the MachineSet with its new status. observedGeneration is updated only if nothing failed. */
export function withStatus(scope: MachineSetScope, failed: boolean): ObservedMachineSet {
  const { set, machines, context, cluster, preflightFailures, creationFailure } = scope;
  const nowMs = context.clock.now();
  const counters = machineSetCounters(set, machines);
  const old = deprecatedCounters(set, machines, nowMs);
  const missing = scope.templates === undefined ? {} : missingTemplates(scope.templates);
  const conditions = machineSetConditions({ machineSet: set, machines, missing, preflightFailures, nowMs });
  return edit(set, (draft) => {
    const { generation } = draft.metadata;
    const status = (draft.status ??= {});
    Object.assign(status, counters);
    if (!failed && generation !== undefined) status.observedGeneration = generation;
    status.deprecated = { ...status.deprecated, v1beta1: { ...status.deprecated?.v1beta1, ...old } };
    for (const condition of [...conditions, pausedCondition(set, cluster)])
      setCondition(draft as ConditionTarget, condition, nowMs);
    const { replicas } = counters;
    const { readyReplicas } = old;
    setDeprecatedConditions(draft, { machines, replicas, readyReplicas, creationFailure, nowMs });
  });
}
