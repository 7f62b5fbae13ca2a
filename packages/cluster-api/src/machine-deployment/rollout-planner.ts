import { parseTime, type RandomSource } from '@slipway/kube';
import { revisionAnnotations } from '../api/index.js';
import {
  compareAges,
  createdMs,
  isDeleting,
  nameOf,
  type ObservedMachine,
  passedRolloutAfterMs,
  rolloutDifferences,
} from '../machines/index.js';
import {
  currentMachineSet,
  differingFields,
  newMachineSet,
  oldMachineSet,
  revisionOfNewSet,
  revisionOfOldSet,
} from './desired-machine-set.js';
import {
  countsOf,
  sumOf,
  type CreateReason,
  type MachineSetIntent,
  type ObservedDeployment,
  type ObservedMachineSet,
  type RolloutStep,
  type RolloutLimits,
  rolloutLimits,
  type RolloutPlan,
  RolloutPlanError,
  safeCountsOf,
  type ScaleDraft,
  strategyOf,
} from './rollout-plan.js';
import { scaleOnDelete, scalePaused, scaleRollingUpdate } from './scale-strategies.js';

export interface RolloutInput {
  readonly deployment: ObservedDeployment;
  /** MachineSets controlled by the deployment. */
  readonly machineSets: readonly ObservedMachineSet[];
  /** All machines of `machineSets`. */
  readonly machines: readonly ObservedMachine[];
  /** Whether the referenced templates exist. Without them no MachineSet can be created. */
  readonly templatesExist: boolean;
  readonly nowMs: number;
  /** Random source for the name of a new MachineSet. */
  readonly random: RandomSource;
}

/**
 * Plans the next steps for the MachineSets of a deployment. Repeated reconciles converge to one MachineSet with the current
 * template.
 */
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
  const applied = applySteps(found, sets, draft);
  return {
    steps: [
      ...createStep(sets.created, found.missing, draft),
      ...applied.steps,
      ...annotateStep(deployment, revision),
      ...deleteSteps(deployment, found, draft),
    ],
    unchanged: applied.unchanged,
    newMachineSet: sets.current?.metadata.name,
    oldMachineSets: found.old.map(nameOf),
    revision,
    requeueAfterMs: rolloutAfterInMs(deployment, nowMs),
  };
}

interface Intents {
  /** The MachineSet with the current template, either planned or existing. */
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
      ? { name: current.metadata.name, desired: 0, existing: 0, available: 0 }
      : safeCountsOf(found.current, machines);
  const sets = { current: counts, old: found.old.map((set) => safeCountsOf(set, machines)) };
  return strategyOf(deployment) === 'OnDelete' ? scaleOnDelete(sets, limits) : scaleRollingUpdate(sets, limits);
}

function scaled(intent: MachineSetIntent, draft: ScaleDraft): MachineSetIntent {
  const step = draft.stepOf(intent.metadata.name);
  return step === undefined ? intent : { ...intent, spec: { ...intent.spec, replicas: step.to } };
}

function createStep(
  created: MachineSetIntent | undefined,
  missing: MachineSetsOfDeployment['missing'],
  draft: ScaleDraft,
): RolloutStep[] {
  if (created === undefined || missing === undefined) return [];
  const step = draft.stepOf(created.metadata.name);
  return [
    { verb: 'create', machineSet: scaled(created, draft), ...missing, ...(step === undefined ? {} : { scale: step }) },
  ];
}

/**
 * Returns the steps that apply MachineSets. The new one comes first: its growth within maxSurge does not wait for old
 * MachineSets.
 */
function applySteps(
  found: MachineSetsOfDeployment,
  intents: Intents,
  draft: ScaleDraft,
): Pick<RolloutPlan, 'steps' | 'unchanged'> {
  const pairs = found.old.map((set, index) => ({ set, intent: intents.old[index] }));
  if (found.current !== undefined) pairs.unshift({ set: found.current, intent: intents.current });
  const steps: RolloutStep[] = [];
  const unchanged: MachineSetIntent[] = [];
  for (const { set, intent } of pairs) {
    if (intent === undefined) continue;
    const planned = applyStep(set, intent, draft);
    if (planned === undefined) unchanged.push(intent);
    else steps.push(planned);
  }
  return { steps, unchanged };
}

function applyStep(set: ObservedMachineSet, intent: MachineSetIntent, draft: ScaleDraft): RolloutStep | undefined {
  const step = draft.stepOf(intent.metadata.name);
  const fields = differingFields(set, intent);
  const machineSet = scaled(intent, draft);
  if (step !== undefined) return { verb: 'apply', machineSet, reason: step.reason, message: step.message, scale: step };
  if (fields.length === 0) return undefined;
  return { verb: 'apply', machineSet, reason: 'PropagatedInPlace', message: `changed: ${fields.join(', ')}` };
}

function annotateStep(deployment: ObservedDeployment, revision: string | undefined): RolloutStep[] {
  const shown = deployment.metadata.annotations?.[revisionAnnotations.revision];
  if (revision === undefined || shown === revision) return [];
  const message = `revision ${shown ?? 'none'} -> ${revision}`;
  return [{ verb: 'annotate', revision, reason: 'RevisionChanged', message }];
}

/** Returns the steps that delete old MachineSets after the rollout. No revision history is kept. */
function deleteSteps(deployment: ObservedDeployment, found: MachineSetsOfDeployment, draft: ScaleDraft): RolloutStep[] {
  const all = found.current === undefined ? found.old : [...found.old, found.current];
  if (deployment.spec.paused === true || !draft.isEmpty || !isRolloutComplete(deployment, all)) return [];
  return found.old
    .filter((set) => isEmptySet(set) && !isDeleting(set))
    .map((set) => ({
      verb: 'delete',
      name: nameOf(set),
      uid: set.metadata.uid,
      reason: 'RolloutComplete',
      message: 'the rollout is complete and the MachineSet has no machines left',
    }));
}

/**
 * Whether all machines are up to date and available, no surplus machine exists, and the generation of the deployment was
 * observed.
 */
function isRolloutComplete(deployment: ObservedDeployment, sets: readonly ObservedMachineSet[]): boolean {
  const observed = (deployment.status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  const counters = ['replicas', 'upToDateReplicas', 'availableReplicas'] as const;
  return (
    observed &&
    counters.every((counter) => sumOf(sets, (set) => set.status?.[counter] ?? 0) === deployment.spec.replicas)
  );
}

/** Whether the MachineSet has observed its scale to 0 and has no machines. */
function isEmptySet(set: ObservedMachineSet): boolean {
  const { desired, existing } = countsOf(set);
  return desired === 0 && existing === 0 && (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0);
}

interface MachineSetsOfDeployment {
  /** The MachineSet with the current template. */
  readonly current: ObservedMachineSet | undefined;
  /** All other MachineSets, oldest first. */
  readonly old: readonly ObservedMachineSet[];
  /** Why there is no current MachineSet. */
  readonly missing: { readonly reason: CreateReason; readonly message: string } | undefined;
}

/** Returns the MachineSet with the current template, or the reason why none exists. */
function findMachineSets(
  deployment: ObservedDeployment,
  sets: readonly ObservedMachineSet[],
  nowMs: number,
): MachineSetsOfDeployment {
  const rest = (current?: ObservedMachineSet): ObservedMachineSet[] =>
    sets.filter((set) => set !== current).sort(compareAges);
  // If several MachineSets have the current template, use the largest: fewer machines must be replaced.
  const candidates = sets
    .filter((set) => !isDeleting(set))
    .sort((left, right) => (right.spec.replicas ?? 0) - (left.spec.replicas ?? 0) || compareAges(left, right));
  const afterMs = passedRolloutAfterMs(deployment, nowMs);
  const matching = candidates.filter(
    (set) => rolloutDifferences(set.spec.template, deployment.spec.template).length === 0,
  );
  const current = matching.find((set) => afterMs === undefined || createdMs(set) >= afterMs);
  if (current !== undefined) return { current, old: rest(current), missing: undefined };
  return { current, old: rest(), missing: whyMissing(deployment, candidates, matching.length > 0) };
}

function whyMissing(
  deployment: ObservedDeployment,
  candidates: readonly ObservedMachineSet[],
  expired: boolean,
): MachineSetsOfDeployment['missing'] {
  const newest = [...candidates].sort(compareAges).at(-1);
  if (newest === undefined) return { reason: 'NoMachineSet', message: 'the MachineDeployment has no MachineSet' };
  if (expired)
    return {
      reason: 'RolloutAfterPassed',
      message: `spec.rollout.after ${deployment.spec.rollout?.after} has passed; every MachineSet is older`,
    };
  const differences = rolloutDifferences(newest.spec.template, deployment.spec.template);
  const list = differences.map((line) => line.replace(/^\* /, '')).join(', ');
  return { reason: 'TemplateChanged', message: `no MachineSet has the template of the MachineDeployment: ${list}` };
}

/** Returns the time until `rollout.after` passes, in milliseconds. Undefined if there is nothing to wait for. */
function rolloutAfterInMs(deployment: ObservedDeployment, nowMs: number): number | undefined {
  const after = deployment.spec.rollout?.after;
  const leftMs = after === undefined ? 0 : parseTime(after) - nowMs;
  return leftMs > 0 ? leftMs : undefined;
}
