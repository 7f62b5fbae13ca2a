import type { RandomSource } from '@slipway/kube';
import { revisionAnnotations } from '../api/index.js';
import { isDeleting, nameOf, type ObservedMachine } from '../machines/index.js';
import { currentMachineSet, newMachineSet, oldMachineSet } from './desired-machine-set.js';
import { isRolloutComplete } from './deployment-status.js';
import { findMachineSets, type MachineSetsOfDeployment, rolloutAfterInMs } from './find-machine-sets.js';
import { differingFields } from './intent-difference.js';
import { scaleOnDelete } from './on-delete.js';
import { scalePaused } from './paused-scaling.js';
import { revisionOfNewSet, revisionOfOldSet } from './revision.js';
import { scaleRollingUpdate } from './rolling-update.js';
import { type RolloutLimits, rolloutLimits, strategyOf } from './rollout-limits.js';
import {
  type MachineSetIntent,
  type ObservedDeployment,
  type ObservedMachineSet,
  type RolloutChange,
  type RolloutPlan,
  RolloutPlanError,
} from './rollout-plan.js';
import type { ScaleDraft } from './scale-draft.js';
import { countsOf, safeCountsOf } from './set-counts.js';

export interface RolloutInput {
  readonly deployment: ObservedDeployment;
  /** Those that the deployment controls. */
  readonly machineSets: readonly ObservedMachineSet[];
  /** All machines of these sets. */
  readonly machines: readonly ObservedMachine[];
  /** Whether the templates that the deployment names exist; without them no set can be made. */
  readonly templatesExist: boolean;
  readonly nowMs: number;
  /** For the name of a new set. */
  readonly random: RandomSource;
}

/** What to do with the MachineSets of a deployment next. Applied again and again, it ends with one set as wanted. */
export function planRollout(input: RolloutInput): RolloutPlan {
  const { deployment, machineSets, nowMs } = input;
  const name = nameOf(deployment);
  if (deployment.spec.replicas === undefined)
    throw new RolloutPlanError('ReplicasNotSet', `MachineDeployment ${name} has no spec.replicas; set it`);
  const limits = rolloutLimits(deployment);
  const found = findMachineSets(deployment, machineSets, nowMs);
  const sets = intentsOf(input, found, limits);
  const draft = scale(input, found, sets.current, limits);
  const { revision } = sets;
  const applied = applyChanges(found, sets, draft);
  return {
    changes: [
      ...createChange(sets.created, found.missing, draft),
      ...applied.changes,
      ...annotateChange(deployment, revision),
      ...deleteChanges(deployment, found, draft),
    ],
    unchanged: applied.unchanged,
    newMachineSet: sets.current?.metadata.name,
    oldMachineSets: found.old.map(nameOf),
    revision,
    requeueAfterMs: rolloutAfterInMs(deployment, nowMs),
  };
}

interface Intents {
  /** The set as wanted: made now, or as it was found. */
  readonly current: MachineSetIntent | undefined;
  readonly created: MachineSetIntent | undefined;
  readonly old: readonly MachineSetIntent[];
  readonly revision: string | undefined;
}

function intentsOf(input: RolloutInput, found: MachineSetsOfDeployment, limits: RolloutLimits): Intents {
  const { deployment, machineSets, random } = input;
  const old = found.old.map((set) => oldMachineSet({ deployment, limits, revision: revisionOfOldSet(set) }, set));
  if (found.current === undefined && deployment.spec.paused === true)
    return { current: undefined, created: undefined, old, revision: undefined };
  const { revision, annotations } = revisionOfNewSet(found.current, found.old);
  const desired = { deployment, limits, revision: annotations };
  if (found.current !== undefined)
    return { current: currentMachineSet(desired, found.current), created: undefined, old, revision };
  if (!input.templatesExist)
    throw new RolloutPlanError(
      'TemplatesMissing',
      `MachineDeployment ${nameOf(deployment)} needs a new MachineSet, but a template it refers to does not exist; create it or correct spec.template`,
    );
  const created = newMachineSet(desired, machineSets, random);
  return { current: created, created, old, revision };
}

function scale(
  { deployment, machines }: RolloutInput,
  found: MachineSetsOfDeployment,
  current: MachineSetIntent | undefined,
  limits: RolloutLimits,
): ScaleDraft {
  if (deployment.spec.paused === true || current === undefined) return scalePaused(found.current, found.old, limits);
  const counts =
    found.current === undefined
      ? { name: current.metadata.name, wanted: 0, existing: 0, available: 0 }
      : safeCountsOf(found.current, machines);
  const sets = { current: counts, old: found.old.map((set) => safeCountsOf(set, machines)) };
  return strategyOf(deployment) === 'OnDelete' ? scaleOnDelete(sets, limits) : scaleRollingUpdate(sets, limits);
}

function scaled(intent: MachineSetIntent, draft: ScaleDraft): MachineSetIntent {
  const step = draft.stepOf(intent.metadata.name);
  return step === undefined ? intent : { ...intent, spec: { ...intent.spec, replicas: step.to } };
}

function createChange(
  created: MachineSetIntent | undefined,
  missing: MachineSetsOfDeployment['missing'],
  draft: ScaleDraft,
): RolloutChange[] {
  if (created === undefined || missing === undefined) return [];
  const step = draft.stepOf(created.metadata.name);
  return [
    { verb: 'create', machineSet: scaled(created, draft), ...missing, ...(step === undefined ? {} : { scale: step }) },
  ];
}

/** The new set first: growth that surge allows does not wait for old sets. */
function applyChanges(
  found: MachineSetsOfDeployment,
  intents: Intents,
  draft: ScaleDraft,
): Pick<RolloutPlan, 'changes' | 'unchanged'> {
  const pairs = found.old.map((set, index) => ({ set, intent: intents.old[index] }));
  if (found.current !== undefined) pairs.unshift({ set: found.current, intent: intents.current });
  const changes: RolloutChange[] = [];
  const unchanged: MachineSetIntent[] = [];
  for (const { set, intent } of pairs) {
    if (intent === undefined) continue;
    const change = applyChange(set, intent, draft);
    if (change === undefined) unchanged.push(intent);
    else changes.push(change);
  }
  return { changes, unchanged };
}

function applyChange(set: ObservedMachineSet, intent: MachineSetIntent, draft: ScaleDraft): RolloutChange | undefined {
  const step = draft.stepOf(intent.metadata.name);
  const fields = differingFields(set, intent);
  const machineSet = scaled(intent, draft);
  if (step !== undefined) return { verb: 'apply', machineSet, reason: step.reason, message: step.message, scale: step };
  if (fields.length === 0) return undefined;
  return { verb: 'apply', machineSet, reason: 'PropagatedInPlace', message: `changed: ${fields.join(', ')}` };
}

function annotateChange(deployment: ObservedDeployment, revision: string | undefined): RolloutChange[] {
  const shown = deployment.metadata.annotations?.[revisionAnnotations.revision];
  if (revision === undefined || shown === revision) return [];
  const message = `revision ${shown ?? 'none'} -> ${revision}`;
  return [{ verb: 'annotate', revision, reason: 'RevisionChanged', message }];
}

/** Once everything is rolled out no old set is kept: there is no history to go back to. */
function deleteChanges(
  deployment: ObservedDeployment,
  found: MachineSetsOfDeployment,
  draft: ScaleDraft,
): RolloutChange[] {
  const all = found.current === undefined ? found.old : [...found.old, found.current];
  if (deployment.spec.paused === true || !draft.isEmpty || !isRolloutComplete(deployment, all)) return [];
  return found.old
    .filter((set) => isEmptySet(set) && !isDeleting(set))
    .map((set) => ({
      verb: 'delete',
      name: nameOf(set),
      uid: set.metadata.uid,
      reason: 'RolloutComplete',
      message: 'the rollout is complete and the set has no machines left',
    }));
}

/** The set has seen that it should be empty, and is. */
function isEmptySet(set: ObservedMachineSet): boolean {
  const { wanted, existing } = countsOf(set);
  return wanted === 0 && existing === 0 && (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0);
}
