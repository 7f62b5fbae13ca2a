import type { JsonObject } from '@slipway/kube';
import { done, edit, FencedError, isDeleting, mapToOwner, type Outcome, type Source } from '@slipway/runtime';
import { fieldManagers, machines as machineResource, machineSets } from '../api/index.js';
import { type ObjectReference, type ProviderKind, type ReferencedObject, resolveKind } from '../contract/index.js';
import { applyIntent, fingerprintOf, type FormerManager, releaseMetadata } from '../intents/index.js';
import { inBatches, nameOf, type ObservedMachine } from '../machines/index.js';
import { deletionTimeoutsInPlace, inPlacePartOf, machineInPlace, metadataIntent } from './desired-machine.js';
import { type MachineSetScope, replaceMachine } from './machine-set-scope.js';

/** Updates the in-place mutable fields of existing machines. */
export async function syncMachines(scope: MachineSetScope): Promise<Outcome> {
  if (scope.machines.length === 0) return done();
  const fingerprint = fingerprintOf(inPlacePartOf(scope.set));
  const find = objectFinder(scope);
  return inBatches(scope.machines, 'continue', async (machine) => {
    try {
      const synced = await syncMachine(scope, machine, fingerprint, find);
      if (synced !== machine) replaceMachine(scope, synced);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      throw new Error(`failed to update Machine ${nameOf(machine)}: ${String(error)}`, { cause: error });
    }
  });
}

async function syncMachine(
  scope: MachineSetScope,
  machine: ObservedMachine,
  fingerprint: string,
  find: FindObject,
): Promise<ObservedMachine> {
  const { context, set, dependencies } = scope;
  if (isDeleting(machine)) return syncTimeouts(scope, machine);
  const synced = await applyIntent(context, dependencies.intents, {
    resource: machineResource,
    current: machine,
    intent: machineInPlace(set, machine) as unknown as JsonObject,
    fieldManager: fieldManagers.machineSet,
    fingerprint,
  });
  const { bootstrap, infrastructureRef } = synced.spec;
  await syncMetadata(scope, await find(infrastructureRef), fingerprint);
  if (bootstrap.configRef !== undefined) await syncMetadata(scope, await find(bootstrap.configRef), fingerprint);
  return synced;
}

/**
 * Updates only the deletion timeouts of a deleting machine: a full apply would add back its finalizer, which its controller
 * removed.
 */
async function syncTimeouts({ context, set }: MachineSetScope, machine: ObservedMachine): Promise<ObservedMachine> {
  const timeouts = deletionTimeoutsInPlace(set, machine);
  if (timeouts === undefined) return machine;
  const after = edit(machine, (draft) => void (draft.spec.deletion = { ...timeouts }));
  return context.change({
    verb: 'patch',
    resource: machineResource,
    before: machine,
    after,
    reason: 'PropagatedInPlace',
    message: `Updated the deletion timeouts of Machine ${nameOf(machine)}`,
  });
}

type FindObject = (reference: ObjectReference) => Promise<ReferencedObject>;

/** Returns a function that finds bootstrap and infrastructure objects. Each kind is resolved once for all machines of the set. */
function objectFinder({ context, set }: MachineSetScope): FindObject {
  const namespace = set.metadata.namespace ?? '';
  const cached = new Map<string, { readonly kind: ProviderKind; readonly source: Source }>();
  return async (reference) => {
    const text = `${reference.kind}.${reference.apiGroup}`;
    let found = cached.get(text);
    if (found === undefined) {
      const kind = resolveKind(context.sources, reference);
      found = {
        kind,
        source: await context.follow({ resource: kind.resource, map: mapToOwner(machineSets) }),
      };
      cached.set(text, found);
    }
    return { kind: found.kind, object: found.source.get({ namespace, name: reference.name }) };
  };
}

/** Syncs labels and annotations to an object of a machine. Ignores a missing object: the Machine reports that. */
async function syncMetadata(
  scope: MachineSetScope,
  { kind, object }: ReferencedObject,
  fingerprint: string,
): Promise<void> {
  const { context, set, dependencies } = scope;
  if (object === undefined || isDeleting(object)) return;
  const applied = await applyIntent(context, dependencies.intents, {
    resource: kind.resource,
    current: object,
    intent: metadataIntent(set, object),
    fieldManager: fieldManagers.machineSetMetadata,
    fingerprint,
  });
  if (applied !== object) await releaseMetadata(context, kind.resource, applied, formerManagers);
}

/** Field managers that wrote the labels and annotations of a machine's objects until Cluster API 1.11. */
const formerManagers: readonly FormerManager[] = [
  { manager: 'manager', operation: 'Update' },
  { manager: fieldManagers.machineSet, operation: 'Apply' },
];
