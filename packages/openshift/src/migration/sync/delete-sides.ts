import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Change,
  done,
  edit,
  hasFinalizer,
  isDeleting,
  keyOf,
  type Outcome,
  type ReconcileContext,
  ownerReference,
  removeFinalizer,
  removeOwnerReference,
  type Resource,
  wait,
} from '@slipway/runtime';
import { mapiMachines } from '../../api/index.js';
import { namespaces } from '../../names.js';
import { planMachineDeletion, syncFinalizer } from '../state/deletion-plan.js';
import type { Authority } from '../state/migration-plan.js';
import { deleteOutdatedTemplates } from './infra-template.js';
import { ownerSetIndex } from './observe.js';
import type { Copy } from './to-capi.js';

/** Performs one step of deleting both resources. The change of each step triggers the next reconcile. */
export async function deleteBoth(copy: Copy, authority: Authority): Promise<Outcome> {
  const { kind, observed, context } = copy;
  const { mapi, capi, infra, infraResource } = observed;
  const resources = { mapi: kind.mapi, capi: kind.capi, infra: infraResource };
  const objects = { mapi, capi, infra: kind.kind === 'Machine' ? infra : undefined };
  const step = planMachineDeletion(authority, objects);
  if (step.type === 'wait') return wait({ reason: 'WaitingForDeletion', message: step.message });
  if (step.type === 'done') return done();
  const object = objects[step.side];
  if (object === undefined) return done();
  if (step.type === 'delete') {
    const message = `Deleted ${object.kind} ${object.metadata.name ?? ''}: its counterpart is being deleted`;
    const key = keyOf(object);
    await context.change({ verb: 'delete', resource: resources[step.side], key, reason: 'TwinDeleted', message });
  } else {
    // The created templates are deleted before the last set that refers to them. Otherwise they would leak.
    if (kind.kind === 'MachineSet' && step.side === 'capi' && authority === 'MachineAPI')
      await deleteOutdatedTemplates(copy, object.metadata.name ?? '', undefined);
    await context.changeAll(release(resources[step.side], object, step.finalizers));
  }
  context.enqueue({ namespace: namespaces.machineApi, name: (capi ?? mapi ?? object).metadata.name ?? '' });
  return done();
}

/** Removes the links between the resources after the user deleted the Machine API mirror. */
export async function untie({ kind, observed, context }: Copy): Promise<Outcome> {
  const { mapi, capi, infra, infraResource } = observed;
  if (kind.kind === 'MachineSet' && mapi !== undefined) await context.changeAll(orphanMirrors(mapi, context));
  // The mirror is released last, because its events trigger the reconcile.
  await context.changeAll(release(kind.capi, capi, [syncFinalizer]));
  if (kind.kind === 'Machine' && infra !== undefined && (isDeleting(infra) || capi === undefined))
    await context.changeAll(release(infraResource, infra, [syncFinalizer]));
  await context.changeAll(release(kind.mapi, mapi, [syncFinalizer]));
  return done();
}

/**
 * Removes owner references from mirrors. Otherwise the garbage collector would delete the mirrors with their set, and then the
 * machines.
 */
function orphanMirrors(set: Frozen<KubeObject>, { sources }: ReconcileContext): Change[] {
  const mirrors = sources.sourceFor(mapiMachines);
  return mirrors.byIndex(ownerSetIndex, set.metadata.name ?? '').flatMap((mirror): Change[] => {
    if (mirror.status?.authoritativeAPI !== 'ClusterAPI') return [];
    const orphan = edit(mirror, (draft) => removeOwnerReference(draft.metadata, ownerReference(set)));
    const message = `Removed the owner ${set.metadata.name ?? ''}: the MachineSet is being deleted without its machines`;
    return [{ verb: 'patch', resource: mapiMachines, before: mirror, after: orphan, reason: 'SetDeleted', message }];
  });
}

function release(resource: Resource, object: Frozen<KubeObject> | undefined, finalizers: readonly string[]): Change[] {
  if (object === undefined || !finalizers.some((finalizer) => hasFinalizer(object, finalizer))) return [];
  const after = edit(object, (draft) => finalizers.forEach((finalizer) => removeFinalizer(draft.metadata, finalizer)));
  const message = `Removed finalizer ${finalizers.join(', ')}`;
  return [{ verb: 'patch', resource, before: object, after, reason: 'FinalizerRemoved', message }];
}
