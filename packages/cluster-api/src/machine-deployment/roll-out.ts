import { isReason, type JsonObject } from '@slipway/kube';
import { done, edit, FencedError, isDeleting, type Outcome, ReconcileError, wait } from '@slipway/runtime';
import { fieldManagers, machineSets, revisionAnnotations } from '../api/index.js';
import { applyIntent, fingerprintOf } from '../intents/index.js';
import { missingTemplates } from '../machine-templates/index.js';
import { nameOf } from '../machines/index.js';
import { type DeploymentPass, tell } from './deployment-pass.js';
import {
  type MachineSetIntent,
  type ObservedMachineSet,
  type RolloutChange,
  type RolloutPlan,
  RolloutPlanError,
  type ScaleStep,
} from './rollout-plan.js';
import { planRollout } from './rollout-planner.js';

/** Brings the sets of the deployment one step closer to one set with the wanted template. */
export async function rollOut(pass: DeploymentPass): Promise<Outcome> {
  let plan: RolloutPlan;
  try {
    plan = planOf(pass);
  } catch (error) {
    return whyNotPlanned(pass, error);
  }
  pass.newMachineSet = plan.newMachineSet;
  for (const change of plan.changes) await carryOut(pass, change);
  for (const intent of plan.unchanged) await keepApplied(pass, intent);
  if (plan.requeueAfterMs === undefined) return done();
  const message = `spec.rollout.after ${pass.deployment.spec.rollout?.after ?? ''} is still to come`;
  return wait({ ms: plan.requeueAfterMs, reason: 'RolloutAfter', message });
}

function planOf({ context, deployment, machineSets: sets, machines, templates }: DeploymentPass): RolloutPlan {
  return planRollout({
    deployment,
    machineSets: sets,
    machines,
    templatesExist: templates !== undefined && Object.keys(missingTemplates(templates)).length === 0,
    nowMs: context.clock.now(),
    random: context.random,
  });
}

/** What is missing is told by conditions and brings the deployment back when it appears. */
function whyNotPlanned(pass: DeploymentPass, error: unknown): Outcome {
  if (!(error instanceof RolloutPlanError)) throw error;
  if (error.reason !== 'IdentifierMissing') return wait({ reason: error.reason, message: error.message });
  tell(pass, 'Warning', 'FailedUpdate', error.message);
  throw new ReconcileError(error.reason, error.message, { retry: 'onChange', cause: error });
}

async function carryOut(pass: DeploymentPass, change: RolloutChange): Promise<void> {
  const { context } = pass;
  const { verb, reason, message } = change;
  if (verb === 'annotate') {
    pass.deployment = edit(pass.deployment, ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, [revisionAnnotations.revision]: change.revision };
    });
    return;
  }
  const name = verb === 'delete' ? change.name : change.machineSet.metadata.name;
  const namespace = pass.deployment.metadata.namespace ?? '';
  const text = `${namespace}/${name}`;
  try {
    if (verb === 'delete') await deleteOldSet(pass, change);
    else await applySet(pass, change.machineSet);
  } catch (error) {
    // A set that was about to go is gone: there is nothing to change about it any more.
    if (verb === 'apply' && isGone(pass, name, error)) return;
    if (!(error instanceof FencedError))
      tell(pass, 'Warning', failures[verb].reason, `${failures[verb].text} MachineSet ${text}: ${String(error)}`);
    throw error;
  }
  context.logger.info({ MachineSet: { namespace, name }, reason, message, verb }, 'Rolling out');
  if (verb === 'create') {
    const { replicas } = change.machineSet.spec;
    tell(pass, 'Normal', 'SuccessfulCreate', `Created MachineSet ${text} with ${replicas} replicas`);
  } else if (verb === 'delete') tell(pass, 'Normal', 'SuccessfulDelete', `Deleted MachineSet ${text}`);
  else if (change.scale !== undefined) tell(pass, 'Normal', 'SuccessfulScale', scaleText(name, change.scale));
}

function isGone(pass: DeploymentPass, name: string, error: unknown): boolean {
  const set = pass.machineSets.find((each) => nameOf(each) === name);
  return set !== undefined && isDeleting(set) && (isReason(error, 'Conflict') || isReason(error, 'NotFound'));
}

const failures = {
  create: { reason: 'FailedCreate', text: 'Failed to create' },
  apply: { reason: 'FailedUpdate', text: 'Failed to update' },
  delete: { reason: 'FailedDelete', text: 'Failed to delete' },
} as const;

function scaleText(name: string, { from, to }: ScaleStep): string {
  return `Scaled ${to > from ? 'up' : 'down'} MachineSet ${name}: ${from} -> ${to}`;
}

async function applySet(pass: DeploymentPass, machineSet: MachineSetIntent): Promise<void> {
  const { context, tools } = pass;
  const { namespace, name } = machineSet.metadata;
  const intent = machineSet as unknown as JsonObject;
  const fingerprint = fingerprintOf(intent);
  const fieldManager = fieldManagers.machineDeployment;
  const options = { fieldManager, force: true, signal: context.signal };
  const applied = await context.client.apply(machineSets, { namespace, name }, { ...intent }, options);
  tools.intents.note(applied.metadata.uid ?? '', fieldManager, fingerprint);
  noteSet(pass, applied);
}

function noteSet(pass: DeploymentPass, set: ObservedMachineSet): void {
  const others = pass.machineSets.filter(({ metadata }) => metadata.uid !== set.metadata.uid);
  pass.machineSets = [...others, set];
}

/** What the deployment no longer says must go from its sets: seen only by what was said before. */
async function keepApplied(pass: DeploymentPass, machineSet: MachineSetIntent): Promise<void> {
  const current = pass.machineSets.find((set) => nameOf(set) === machineSet.metadata.name);
  if (current === undefined) return;
  const intent = machineSet as unknown as JsonObject;
  const applied = await applyIntent(pass.context, pass.tools.intents, {
    resource: machineSets,
    current,
    intent,
    fieldManager: fieldManagers.machineDeployment,
    fingerprint: fingerprintOf(intent),
  });
  if (applied !== current) noteSet(pass, applied);
}

async function deleteOldSet(
  pass: DeploymentPass,
  { name, uid }: Extract<RolloutChange, { verb: 'delete' }>,
): Promise<void> {
  const { client, signal } = pass.context;
  const key = { namespace: pass.deployment.metadata.namespace ?? '', name };
  try {
    await client.delete(machineSets, key, { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
  pass.machineSets = pass.machineSets.filter(({ metadata }) => metadata.uid !== uid);
}
