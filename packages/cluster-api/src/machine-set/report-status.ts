import { type ConditionTarget, edit, pausedCondition, setCondition } from '@slipway/runtime';
import { missingTemplates } from '../machine-templates/index.js';
import type { MachineSetPass } from './machine-set-pass.js';
import { machineSetConditions, machineSetCounters } from './machine-set-status.js';
import { deprecatedCounters, setDeprecatedConditions } from './machine-set-v1beta1.js';
import type { ObservedMachineSet } from './replica-plan.js';

/** All types that this controller writes on a MachineSet, of both styles. */
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

/** The set with the status that follows from the pass. Its generation counts as observed only when nothing failed. */
export function reportStatus(pass: MachineSetPass, failed: boolean): ObservedMachineSet {
  const { set, machines, context, cluster, preflightFailures, creationFailure } = pass;
  const nowMs = context.clock.now();
  const counters = machineSetCounters(set, machines);
  const old = deprecatedCounters(set, machines, nowMs);
  const missing = pass.templates === undefined ? {} : missingTemplates(pass.templates);
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
