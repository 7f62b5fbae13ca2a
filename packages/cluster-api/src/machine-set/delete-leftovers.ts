import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { type Index, isDeleting, keyOf, mapToOwner, type Resource } from '@slipway/runtime';
import { machines as machineResource, machineSets } from '../api/index.js';
import { kindOfTemplate, resolveKind } from '../contract/index.js';
import type { MachineTemplates } from '../machine-templates/index.js';
import type { MachineSetPass } from './machine-set-pass.js';

/** Objects by the uid of everybody who owns them. */
const ownerIndex: Index = {
  name: 'owners',
  valuesOf: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
};

/**
 * Removes what an interrupted creation left behind: infrastructure and bootstrap configuration that still belong to the set,
 * while there is no machine that would take them over.
 */
export async function deleteLeftovers(pass: MachineSetPass, templates: MachineTemplates): Promise<void> {
  const { context, set } = pass;
  for (const template of [templates.infrastructure, templates.bootstrap]) {
    // Without its kind installed there is nothing of it, and new machines wait for it anyway.
    if (template?.kind === undefined) continue;
    const { reference } = template;
    const { resource } = resolveKind(context.sources, { ...reference, kind: kindOfTemplate(reference.kind) });
    const source = await context.follow({ resource, map: mapToOwner(machineSets) });
    for (const object of source.byIndex(ownerIndex, set.metadata.uid ?? ''))
      if (!isDeleting(object) && !(await hasMachine(pass, object))) await deleteLeftover(pass, resource, object);
  }
}

/** The cache of machines may lag behind that of the other kind: what is about to be deleted is worth a question. */
async function hasMachine({ context }: MachineSetPass, object: Frozen<KubeObject>): Promise<boolean> {
  const key = keyOf(object);
  if (context.sources.sourceFor(machineResource).get(key) !== undefined) return true;
  try {
    await context.client.get(machineResource, key, { signal: context.signal });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}

async function deleteLeftover(
  { context }: MachineSetPass,
  resource: Resource,
  object: Frozen<KubeObject>,
): Promise<void> {
  const key = keyOf(object);
  const { uid } = object.metadata;
  context.logger.info({ [resource.kind]: key, reason: 'CreationInterrupted' }, 'Deleting leftover of a machine');
  try {
    await context.client.delete(resource, key, {
      signal: context.signal,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
