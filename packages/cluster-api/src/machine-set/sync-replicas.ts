import { type Frozen, isReason, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  type Cause,
  done,
  FencedError,
  type Index,
  isDeleting,
  joinOutcomes,
  keyOf,
  mapToOwner,
  type Outcome,
  ReconcileError,
  type Resource,
  wait,
} from '@slipway/runtime';
import { fieldManagers, machines as machineResource, machineSets } from '../api/index.js';
import { kindOfTemplate, resolveKind } from '../contract/index.js';
import { fingerprintOf } from '../intents/index.js';
import { type MachineTemplates, missingTemplates, type ObservedMachineTemplate } from '../machine-templates/index.js';
import { inBatches, nameOf, type ObservedMachine } from '../machines/index.js';
import { cloneForMachine, inPlacePartOf, metadataIntent, newMachine } from './desired-machine.js';
import {
  type CreationFailure,
  deleteMachine,
  machineNamed,
  type MachineSetScope,
  recordWarning,
} from './machine-set-scope.js';
import { planReplicas, type ReplicaStep, type ReplicaPlan } from './replica-planner.js';

/** Creates missing machines and deletes surplus ones. */
export async function syncReplicas(scope: MachineSetScope): Promise<Outcome> {
  const { context, set } = scope;
  if (set.spec.replicas === undefined)
    throw new ReconcileError('ReplicasNotSet', `MachineSet ${set.metadata.name ?? ''} has no spec.replicas`, {
      retry: 'onChange',
      remedy: 'set spec.replicas',
    });
  const { templates } = scope;
  if (templates === undefined) return done();
  await deleteLeftovers(scope, templates);
  const plan = planReplicas({
    machineSet: set,
    machines: scope.machines,
    missing: missingTemplates(templates),
    preflightFailures: scope.preflightFailures,
    nowMs: context.clock.now(),
    random: context.random,
  });
  if (plan.blocked?.reason === 'PreflightChecksFailed')
    scope.creationFailure = { reason: 'PreflightCheckFailed', message: plan.blocked.messages.join('; ') };
  const carriedOut = await inBatches(plan.steps, 'stop', (planned) => carryOut(scope, templates, planned));
  return joinOutcomes([carriedOut, outcomeOf(plan)]);
}

async function carryOut(scope: MachineSetScope, templates: MachineTemplates, planned: ReplicaStep): Promise<void> {
  const { name, reason, message } = planned;
  if (planned.verb === 'create') {
    const machine = await createMachine(scope, templates, name, { reason, message });
    scope.machines = [...scope.machines, machine];
    return;
  }
  const machine = machineNamed(scope, name);
  if (machine === undefined) return;
  const event = { about: scope.set, reason: 'SuccessfulDelete', message: `Deleted Machine "${name}"` };
  await deleteMachine(scope, machine, { reason, message: `${message}; chosen by: ${planned.cause}`, event });
}

function outcomeOf({ blocked, requeueAfterMs }: ReplicaPlan): Outcome {
  if (blocked === undefined) return done();
  const cause = { reason: blocked.reason, message: blocked.messages.join('; ') };
  return wait(requeueAfterMs === undefined ? cause : { ...cause, ms: requeueAfterMs });
}

interface Made {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

/**
 * Creates the bootstrap configuration, then the infrastructure, and the Machine last, so that its controller finds both. If a
 * step fails, the objects created before are deleted.
 */
async function createMachine(
  scope: MachineSetScope,
  templates: MachineTemplates,
  name: string,
  cause: Cause,
): Promise<ObservedMachine> {
  const { set } = scope;
  const made: Made[] = [];
  let step: CreationFailure['reason'] = 'BootstrapTemplateCloningFailed';
  try {
    if (templates.bootstrap !== undefined) made.push(await createFrom(scope, templates.bootstrap, name, cause));
    step = 'InfrastructureTemplateCloningFailed';
    if (templates.infrastructure !== undefined)
      made.push(await createFrom(scope, templates.infrastructure, name, cause));
    step = 'MachineCreationFailed';
    return await applyMachine(scope, name, cause);
  } catch (error) {
    if (error instanceof FencedError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    // Replace the random name. Otherwise every attempt would change the message in the status, which triggers the next
    // reconcile immediately.
    const stable = message.replaceAll(name, `${set.metadata.name ?? ''}-*`);
    scope.creationFailure = { reason: step, message: stable };
    recordWarning(scope, 'FailedCreate', `Failed to create Machine "${name}": ${message}`);
    await takeBack(scope, name, made);
    throw error;
  }
}

async function createFrom(
  scope: MachineSetScope,
  template: ObservedMachineTemplate,
  name: string,
  { reason }: Cause,
): Promise<Made> {
  const { context, set } = scope;
  const { reference, object } = template;
  const from = `${reference.kind} ${set.metadata.namespace ?? ''}/${reference.name}`;
  try {
    if (object === undefined) throw new Error('not found');
    const { resource } = resolveKind(context.sources, { ...reference, kind: kindOfTemplate(reference.kind) });
    const clone = { ...cloneForMachine(object, set, name), apiVersion: `${resource.group}/${resource.version}` };
    const message = `Cloned ${from} for Machine ${name}`;
    const fieldManager = fieldManagers.machineSet;
    const created = await context.change({ verb: 'create', resource, object: clone, fieldManager, reason, message });
    const made = { resource, object: created };
    try {
      await applyMetadata(scope, made, reason);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      await remove(scope, made);
      throw error;
    }
    return made;
  } catch (error) {
    if (error instanceof FencedError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to clone ${from}: ${message}`, { cause: error });
  }
}

/** Applies labels and annotations with a separate field manager, so that they can be removed later. */
async function applyMetadata(scope: MachineSetScope, { resource, object }: Made, reason: string): Promise<void> {
  const { context, set, dependencies } = scope;
  const fieldManager = fieldManagers.machineSetMetadata;
  await context.change({
    verb: 'apply',
    resource,
    key: keyOf(object),
    configuration: metadataIntent(set, object),
    current: object,
    fieldManager,
    reason,
    message: `Set the labels and annotations of MachineSet ${nameOf(set)} on ${resource.kind} ${nameOf(object)}`,
  });
  dependencies.intents.note(object.metadata.uid ?? '', fieldManager, fingerprintOf(inPlacePartOf(set)));
}

async function applyMachine(scope: MachineSetScope, name: string, cause: Cause): Promise<ObservedMachine> {
  const { context, set, dependencies } = scope;
  const fieldManager = fieldManagers.machineSet;
  const machine = await context.change({
    verb: 'apply',
    resource: machineResource,
    key: { namespace: set.metadata.namespace ?? '', name },
    configuration: newMachine(set, name) as unknown as JsonObject,
    current: 'absent',
    fieldManager,
    ...cause,
    event: { about: set, reason: 'SuccessfulCreate', message: `Created Machine "${name}"` },
  });
  dependencies.intents.note(machine.metadata.uid ?? '', fieldManager, fingerprintOf(inPlacePartOf(set)));
  return machine;
}

/** Deletes the objects of a failed creation. Best effort: a later reconcile deletes leftovers. */
async function takeBack(scope: MachineSetScope, name: string, made: readonly Made[]): Promise<void> {
  if (made.length === 0 || (await machineExists(scope, name))) return;
  for (const each of [...made].reverse()) await remove(scope, each);
}

/** Returns whether the Machine was created after all: a request that timed out may still have succeeded. */
async function machineExists({ context, set }: MachineSetScope, name: string): Promise<boolean> {
  try {
    await context.read.get(machineResource, { namespace: set.metadata.namespace ?? '', name });
    return true;
  } catch (error) {
    return !isReason(error, 'NotFound');
  }
}

async function remove({ context }: MachineSetScope, { resource, object }: Made): Promise<void> {
  const key = keyOf(object);
  const message = `Deleted ${resource.kind} ${key.name} because its Machine could not be created`;
  try {
    await context.change({ verb: 'delete', resource, key, reason: 'CreationFailed', message });
  } catch (error) {
    context.logger.warn(
      { [resource.kind]: key, err: error },
      'Failed to delete the objects of a Machine that could not be created',
    );
  }
}

/** Indexes objects by the uids of their owners. */
const ownerIndex: Index = {
  name: 'owners',
  valuesOf: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
};

/**
 * Deletes leftovers of an interrupted creation: infrastructure and bootstrap configuration that the set still owns and that no
 * machine will adopt.
 */
async function deleteLeftovers(scope: MachineSetScope, templates: MachineTemplates): Promise<void> {
  const { context, set } = scope;
  for (const template of [templates.infrastructure, templates.bootstrap]) {
    // Without its CRD there are no leftovers, and new machines wait for the CRD anyway.
    if (template?.kind === undefined) continue;
    const { reference } = template;
    const { resource } = resolveKind(context.sources, { ...reference, kind: kindOfTemplate(reference.kind) });
    const source = await context.follow({ resource, map: mapToOwner(machineSets) });
    for (const object of source.byIndex(ownerIndex, set.metadata.uid ?? ''))
      if (!isDeleting(object) && !(await hasMachine(scope, object))) await deleteLeftover(scope, resource, object);
  }
}

/**
 * Returns whether the object has a Machine. Reads from the API server before anything is deleted, because the cache of Machines
 * may lag behind the cache of the object.
 */
async function hasMachine({ context }: MachineSetScope, object: Frozen<KubeObject>): Promise<boolean> {
  const key = keyOf(object);
  if (context.sources.sourceFor(machineResource).get(key) !== undefined) return true;
  try {
    await context.read.get(machineResource, key, { signal: context.signal });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}

async function deleteLeftover(
  { context }: MachineSetScope,
  resource: Resource,
  object: Frozen<KubeObject>,
): Promise<void> {
  const { uid } = object.metadata;
  await context.change({
    verb: 'delete',
    resource,
    key: keyOf(object),
    options: uid === undefined ? {} : { preconditions: { uid } },
    reason: 'CreationInterrupted',
    message: `Deleted ${resource.kind} ${nameOf(object)} because the Machine that it was created for does not exist`,
  });
}
