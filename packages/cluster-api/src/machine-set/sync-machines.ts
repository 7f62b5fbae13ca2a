import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import {
  done,
  edit,
  FencedError,
  isDeleting,
  mapToOwner,
  type Outcome,
  patchObject,
  type Source,
} from '@slipway/runtime';
import { fieldManagers, machineSets, machines as machineResource } from '../api/index.js';
import { type ObjectReference, type ProviderKind, type ReferencedObject, resolveKind } from '../contract/index.js';
import { applyIntent, fingerprintOf, type FormerManager, releaseMetadata } from '../intents/index.js';
import { inBatches, nameOf, type ObservedMachine } from '../machines/index.js';
import { deletionTimeoutsInPlace, inPlacePartOf, machineInPlace, metadataForMachines } from './desired-machine.js';
import { replaceMachine } from './delete-machines.js';
import type { MachineSetPass } from './machine-set-pass.js';
import type { ObservedMachineSet } from './replica-plan.js';

/** Carries over to living machines what they can take from the set without being replaced. */
export async function syncMachines(pass: MachineSetPass): Promise<Outcome> {
  if (pass.machines.length === 0) return done();
  const fingerprint = fingerprintOf(inPlacePartOf(pass.set));
  const find = objectFinder(pass);
  return inBatches(pass.machines, 'continue', async (machine) => {
    try {
      const synced = await syncMachine(pass, machine, fingerprint, find);
      if (synced !== machine) replaceMachine(pass, synced);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      throw new Error(`failed to update Machine ${nameOf(machine)}: ${String(error)}`, { cause: error });
    }
  });
}

async function syncMachine(
  pass: MachineSetPass,
  machine: ObservedMachine,
  fingerprint: string,
  find: FindObject,
): Promise<ObservedMachine> {
  const { context, set, tools } = pass;
  if (isDeleting(machine)) return syncTimeouts(pass, machine);
  const synced = await applyIntent(context, tools.intents, {
    resource: machineResource,
    current: machine,
    intent: machineInPlace(set, machine) as unknown as JsonObject,
    fieldManager: fieldManagers.machineSet,
    fingerprint,
  });
  const { bootstrap, infrastructureRef } = synced.spec;
  await syncMetadata(pass, await find(infrastructureRef), fingerprint);
  if (bootstrap.configRef !== undefined) await syncMetadata(pass, await find(bootstrap.configRef), fingerprint);
  return synced;
}

/** A machine in deletion must not get back what its controller has already taken away, its finalizer above all. */
async function syncTimeouts({ context, set }: MachineSetPass, machine: ObservedMachine): Promise<ObservedMachine> {
  const timeouts = deletionTimeoutsInPlace(set, machine);
  if (timeouts === undefined) return machine;
  const after = edit(machine, (draft) => void (draft.spec.deletion = { ...timeouts }));
  return patchObject(context.client, machineResource, machine, after, { signal: context.signal });
}

type FindObject = (reference: ObjectReference) => Promise<ReferencedObject>;

/** The machines of a set have objects of the same few kinds: each is looked up once. */
function objectFinder({ context, set }: MachineSetPass): FindObject {
  const namespace = set.metadata.namespace ?? '';
  const known = new Map<string, { readonly kind: ProviderKind; readonly source: Source }>();
  return async (reference) => {
    const text = `${reference.kind}.${reference.apiGroup}`;
    let found = known.get(text);
    if (found === undefined) {
      const kind = resolveKind(context.sources, reference);
      found = {
        kind,
        source: await context.follow({ resource: kind.resource, map: mapToOwner(machineSets) }),
      };
      known.set(text, found);
    }
    return { kind: found.kind, object: found.source.get({ namespace, name: reference.name }) };
  };
}

/** One that is not there is the machine's to report. */
async function syncMetadata(
  pass: MachineSetPass,
  { kind, object }: ReferencedObject,
  fingerprint: string,
): Promise<void> {
  const { context, set, tools } = pass;
  if (object === undefined || isDeleting(object)) return;
  const applied = await applyIntent(context, tools.intents, {
    resource: kind.resource,
    current: object,
    intent: metadataIntent(set, object),
    fieldManager: fieldManagers.machineSetMetadata,
    fingerprint,
  });
  if (applied !== object) await releaseMetadata(context, kind.resource, applied, formerManagers);
}

/** Until Cluster API 1.11 these wrote the labels and annotations of what is made for a machine. */
const formerManagers: readonly FormerManager[] = [
  { manager: 'manager', operation: 'Update' },
  { manager: fieldManagers.machineSet, operation: 'Apply' },
];

export function metadataIntent(set: ObservedMachineSet, object: Frozen<KubeObject>): JsonObject {
  const { name = '', namespace = '', uid = '' } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { name, namespace, uid, ...metadataForMachines(set) },
  };
}
