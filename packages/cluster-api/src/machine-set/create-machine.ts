import { type Frozen, isReason, type JsonObject, type KubeObject } from '@slipway/kube';
import { FencedError, keyOf, type Resource } from '@slipway/runtime';
import { fieldManagers, machines as machineResource } from '../api/index.js';
import { kindOfTemplate, resolveKind } from '../contract/index.js';
import { fingerprintOf } from '../intents/index.js';
import type { MachineTemplates, ObservedMachineTemplate } from '../machine-templates/index.js';
import type { ObservedMachine } from '../machines/index.js';
import { cloneForMachine, inPlacePartOf, newMachine } from './desired-machine.js';
import { type CreationFailure, type MachineSetPass, tell } from './machine-set-pass.js';
import { metadataIntent } from './sync-machines.js';

interface Made {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

/**
 * Makes a machine: first its bootstrap configuration, then its infrastructure, the machine itself last, so that whatever looks
 * after a machine finds all of it. When a step fails, what was made before is taken back.
 */
export async function createMachine(
  pass: MachineSetPass,
  templates: MachineTemplates,
  name: string,
): Promise<ObservedMachine> {
  const { context, set } = pass;
  const made: Made[] = [];
  let step: CreationFailure['reason'] = 'BootstrapTemplateCloningFailed';
  try {
    if (templates.bootstrap !== undefined) made.push(await createFrom(pass, templates.bootstrap, name));
    step = 'InfrastructureTemplateCloningFailed';
    if (templates.infrastructure !== undefined) made.push(await createFrom(pass, templates.infrastructure, name));
    step = 'MachineCreationFailed';
    return await applyMachine(pass, name);
  } catch (error) {
    if (error instanceof FencedError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    // The name is another one each time: with it the status would change at every attempt, and bring the next one at once.
    const stable = message.replaceAll(name, `${set.metadata.name ?? ''}-*`);
    pass.creationFailure = { reason: step, message: stable };
    tell(context.events, set, 'Warning', 'FailedCreate', `Failed to create Machine "${name}": ${message}`);
    await takeBack(pass, name, made);
    throw error;
  }
}

async function createFrom(pass: MachineSetPass, template: ObservedMachineTemplate, name: string): Promise<Made> {
  const { context, set, tools } = pass;
  const { reference, object } = template;
  const from = `${reference.kind} ${set.metadata.namespace ?? ''}/${reference.name}`;
  try {
    if (object === undefined) throw new Error('it does not exist');
    const { resource } = resolveKind(context.sources, { ...reference, kind: kindOfTemplate(reference.kind) });
    const clone = { ...cloneForMachine(object, set, name), apiVersion: `${resource.group}/${resource.version}` };
    const { client, signal } = context;
    const created = await client.create(resource, clone, { fieldManager: fieldManagers.machineSet, signal });
    const made = { resource, object: created };
    try {
      const fieldManager = fieldManagers.machineSetMetadata;
      await client.apply(resource, keyOf(created), metadataIntent(set, created), { fieldManager, force: true, signal });
      tools.intents.note(created.metadata.uid ?? '', fieldManager, fingerprintOf(inPlacePartOf(set)));
    } catch (error) {
      if (error instanceof FencedError) throw error;
      await remove(pass, made);
      throw error;
    }
    return made;
  } catch (error) {
    if (error instanceof FencedError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to clone ${from}: ${message}`, { cause: error });
  }
}

async function applyMachine({ context, set, tools }: MachineSetPass, name: string): Promise<ObservedMachine> {
  const { client, signal } = context;
  const key = { namespace: set.metadata.namespace ?? '', name };
  const intent = newMachine(set, name) as unknown as JsonObject;
  const fieldManager = fieldManagers.machineSet;
  const machine = await client.apply(machineResource, key, intent, { fieldManager, force: true, signal });
  tools.intents.note(machine.metadata.uid ?? '', fieldManager, fingerprintOf(inPlacePartOf(set)));
  return machine;
}

/** Best effort: what stays behind is found and removed by a later reconcile. */
async function takeBack(pass: MachineSetPass, name: string, made: readonly Made[]): Promise<void> {
  if (made.length === 0 || (await machineExists(pass, name))) return;
  for (const each of [...made].reverse()) await remove(pass, each);
}

/** A request that timed out may still have been carried out. */
async function machineExists({ context, set }: MachineSetPass, name: string): Promise<boolean> {
  try {
    await context.client.get(machineResource, { namespace: set.metadata.namespace ?? '', name });
    return true;
  } catch (error) {
    return !isReason(error, 'NotFound');
  }
}

async function remove({ context }: MachineSetPass, { resource, object }: Made): Promise<void> {
  const key = keyOf(object);
  try {
    await context.client.delete(resource, key);
  } catch (error) {
    if (!isReason(error, 'NotFound'))
      context.logger.warn({ [resource.kind]: key, err: error }, 'Taking back what was made for a machine failed');
  }
}
