import { parseTime } from '@slipway/kube';
import {
  type ConditionSeverity,
  getCondition,
  markFalse,
  markTrue,
  setV1beta1Condition,
  setV1beta1Summary,
  type V1beta1Target,
} from '@slipway/runtime';
import type { MachineSet } from '../api/index.js';
import { aggregateV1beta1Ready, isDeleting, type ObservedMachine } from '../machines/index.js';
import type { CreationFailure } from './machine-set-pass.js';
import type { ObservedMachineSet } from './replica-plan.js';

/** Counters in the old style go by Nodes, not by the conditions of machines. */
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
  const wanted = Object.entries(set.spec.template.metadata?.labels ?? {});
  const minReadyMs = (set.spec.template.spec.minReadySeconds ?? 0) * 1000;
  const labeled = machines.filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value));
  // The machine's own account of its Node: asking every workload cluster for its Nodes again would tell nothing more.
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

/** Where no time was asked for none is waited for: a clock that was set back makes the past the future. */
function hasLasted(sinceMs: number, leastMs: number, nowMs: number): boolean {
  return leastMs === 0 || sinceMs + leastMs <= nowMs;
}

export interface DeprecatedConditionsInput {
  readonly machines: readonly ObservedMachine[];
  /** As the status says. */
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly creationFailure: CreationFailure | undefined;
  readonly nowMs: number;
}

const severity: ConditionSeverity = 'Warning';

/** The conditions of v1beta1, on a draft. */
export function setDeprecatedConditions(draft: MachineSet, input: DeprecatedConditionsInput): void {
  const { machines, replicas: actual, readyReplicas, creationFailure, nowMs } = input;
  const target = draft as V1beta1Target;
  const wanted = isDeleting(draft) ? 0 : (draft.spec.replicas ?? 0);
  if (creationFailure !== undefined)
    markFalse(target, 'MachinesCreated', { ...creationFailure, severity: 'Error' }, nowMs);
  else if (actual >= wanted) markTrue(target, 'MachinesCreated', nowMs);
  if (actual < wanted) {
    const message = `Scaling up MachineSet to ${wanted} replicas (actual ${actual})`;
    markFalse(target, 'Resized', { reason: 'ScalingUp', severity, message }, nowMs);
  } else if (actual > wanted) {
    const message = `Scaling down MachineSet to ${wanted} replicas (actual ${actual})`;
    markFalse(target, 'Resized', { reason: 'ScalingDown', severity, message }, nowMs);
  } else if (readyReplicas === actual) markTrue(target, 'Resized', nowMs);
  const ready = machines.length === 0 ? ({ status: 'True' } as const) : aggregateV1beta1Ready(machines);
  if (ready !== undefined) setV1beta1Condition(target, { type: 'MachinesReady', ...ready }, nowMs);
  setV1beta1Summary(target, { types: ['MachinesCreated', 'Resized', 'MachinesReady'] }, nowMs);
}
