import { isReason, type JsonObject } from '@slipway/kube';
import {
  type ApplyChange,
  type DeleteChange,
  done,
  edit,
  FencedError,
  isDeleting,
  type Outcome,
  ReconcileError,
  wait,
} from '@slipway/runtime';
import { fieldManagers, type MachineSet, machineSets, revisionAnnotations } from '../api/index.js';
import { applyIntent, fingerprintOf } from '../intents/index.js';
import { missingTemplates } from '../machine-templates/index.js';
import { nameOf } from '../machines/index.js';
import { type DeploymentScope, recordWarning } from './deployment-scope.js';
import {
  type MachineSetIntent,
  type ObservedMachineSet,
  type RolloutPlan,
  RolloutPlanError,
  type RolloutStep,
} from './rollout-plan.js';
import { planRollout } from './rollout-planner.js';

const fieldManager = fieldManagers.machineDeployment;

/** Runs the next steps towards a single MachineSet with the current template. */
export async function rollOut(scope: DeploymentScope): Promise<Outcome> {
  let plan: RolloutPlan;
  try {
    plan = planOf(scope);
  } catch (error) {
    return whyNotPlanned(scope, error);
  }
  scope.newMachineSet = plan.newMachineSet;
  for (const planned of plan.steps) await carryOut(scope, planned);
  for (const intent of plan.unchanged) await keepApplied(scope, intent);
  if (plan.requeueAfterMs === undefined) return done();
  const message = `spec.rollout.after ${scope.deployment.spec.rollout?.after ?? ''} is in the future`;
  return wait({ ms: plan.requeueAfterMs, reason: 'RolloutAfter', message });
}

function planOf({ context, deployment, machineSets: sets, machines, templates }: DeploymentScope): RolloutPlan {
  return planRollout({
    deployment,
    machineSets: sets,
    machines,
    templatesExist: templates !== undefined && Object.keys(missingTemplates(templates)).length === 0,
    nowMs: context.clock.now(),
    random: context.random,
  });
}

/**
 * Returns the outcome if no plan could be made. Missing templates are reported by conditions, and their creation triggers a
 * reconcile.
 */
function whyNotPlanned(scope: DeploymentScope, error: unknown): Outcome {
  if (!(error instanceof RolloutPlanError)) throw error;
  if (error.reason !== 'IdentifierMissing') return wait({ reason: error.reason, message: error.message });
  recordWarning(scope, 'FailedUpdate', error.message);
  throw new ReconcileError(error.reason, error.message, { retry: 'onChange', cause: error });
}

type SetStep = Exclude<RolloutStep, { verb: 'annotate' }>;

async function carryOut(scope: DeploymentScope, planned: RolloutStep): Promise<void> {
  if (planned.verb === 'annotate') {
    scope.annotated = planned;
    scope.deployment = edit(scope.deployment, ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, [revisionAnnotations.revision]: planned.revision };
    });
    return;
  }
  try {
    await changeSet(scope, planned);
  } catch (error) {
    const name = setNameOf(planned);
    // The MachineSet was being deleted and no longer exists: there is nothing to update.
    if (planned.verb === 'apply' && isGone(scope, name, error)) return;
    const { reason, text } = failures[planned.verb];
    const set = `${scope.deployment.metadata.namespace ?? ''}/${name}`;
    if (!(error instanceof FencedError)) recordWarning(scope, reason, `${text} MachineSet ${set}: ${String(error)}`);
    throw error;
  }
}

async function changeSet(scope: DeploymentScope, planned: SetStep): Promise<void> {
  const { context, dependencies } = scope;
  const change = rolloutChange(scope, planned);
  if (change.verb === 'delete') {
    await context.change(change);
    const uid = change.options?.preconditions?.uid;
    scope.machineSets = scope.machineSets.filter(({ metadata }) => metadata.uid !== uid);
    return;
  }
  const applied = await context.change(change);
  dependencies.intents.note(applied.metadata.uid ?? '', fieldManager, fingerprintOf(change.configuration));
  noteSet(scope, applied);
}

/** Returns the write of a step, with the event that upstream records for it. */
function rolloutChange(
  { deployment, machineSets: sets }: DeploymentScope,
  planned: SetStep,
): ApplyChange<MachineSet> | DeleteChange<MachineSet> {
  const key = { namespace: deployment.metadata.namespace ?? '', name: setNameOf(planned) };
  const { reason, message } = planned;
  const event = { about: deployment, ...eventOf(planned, `${key.namespace}/${key.name}`) };
  if (planned.verb === 'delete') {
    const { uid } = planned;
    const options = uid === undefined ? {} : { preconditions: { uid } };
    return { verb: 'delete', resource: machineSets, key, options, reason, message, event };
  }
  const isAnnounced = planned.verb === 'create' || planned.scale !== undefined;
  return {
    verb: 'apply',
    resource: machineSets,
    key,
    configuration: planned.machineSet as unknown as JsonObject,
    current: sets.find(({ metadata }) => metadata.name === key.name) ?? 'absent',
    fieldManager,
    reason,
    message,
    ...(isAnnounced ? { event } : {}),
  };
}

function eventOf(planned: SetStep, set: string): { readonly reason: string; readonly message: string } {
  if (planned.verb === 'delete') return { reason: 'SuccessfulDelete', message: `Deleted MachineSet ${set}` };
  const { metadata, spec } = planned.machineSet;
  if (planned.verb === 'create')
    return { reason: 'SuccessfulCreate', message: `Created MachineSet ${set} with ${spec.replicas} replicas` };
  const { from, to } = planned.scale ?? { from: spec.replicas, to: spec.replicas };
  const direction = to > from ? 'up' : 'down';
  return { reason: 'SuccessfulScale', message: `Scaled ${direction} MachineSet ${metadata.name}: ${from} -> ${to}` };
}

function setNameOf(planned: SetStep): string {
  return planned.verb === 'delete' ? planned.name : planned.machineSet.metadata.name;
}

function isGone(scope: DeploymentScope, name: string, error: unknown): boolean {
  const set = scope.machineSets.find((each) => nameOf(each) === name);
  return set !== undefined && isDeleting(set) && (isReason(error, 'Conflict') || isReason(error, 'NotFound'));
}

const failures = {
  create: { reason: 'FailedCreate', text: 'Failed to create' },
  apply: { reason: 'FailedUpdate', text: 'Failed to update' },
  delete: { reason: 'FailedDelete', text: 'Failed to delete' },
} as const;

function noteSet(scope: DeploymentScope, set: ObservedMachineSet): void {
  const others = scope.machineSets.filter(({ metadata }) => metadata.uid !== set.metadata.uid);
  scope.machineSets = [...others, set];
}

/**
 * Applies an intent again if the deployment applied more fields before: only the last applied intent shows which fields to
 * remove.
 */
async function keepApplied(scope: DeploymentScope, machineSet: MachineSetIntent): Promise<void> {
  const current = scope.machineSets.find((set) => nameOf(set) === machineSet.metadata.name);
  if (current === undefined) return;
  const intent = machineSet as unknown as JsonObject;
  const applied = await applyIntent(scope.context, scope.dependencies.intents, {
    resource: machineSets,
    current,
    intent,
    fieldManager,
    fingerprint: fingerprintOf(intent),
  });
  if (applied !== current) noteSet(scope, applied);
}
