import type { Frozen, KubeObject } from '@slipway/kube';
import {
  done,
  edit,
  hasFinalizer,
  ifPresent,
  isDeleting,
  keyOf,
  type Outcome,
  patchObject,
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

/** One step of deleting both sides. Each step changes something that wakes us for the next. */
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
  const { client, signal } = context;
  if (step.type === 'delete') await ifPresent(client.delete(resources[step.side], keyOf(object), { signal }));
  else {
    // Templates that were made here go before the set that names them last: nobody else would know of them.
    if (kind.kind === 'MachineSet' && step.side === 'capi' && authority === 'MachineAPI')
      await deleteOutdatedTemplates(copy, object.metadata.name ?? '', undefined);
    await release(resources[step.side], object, step.finalizers, context);
  }
  context.enqueue({ namespace: namespaces.machineApi, name: (capi ?? mapi ?? object).metadata.name ?? '' });
  return done();
}

/** The user gives up Machine API for this object: only what tied the two is taken off. */
export async function untie({ kind, observed, context }: Copy): Promise<Outcome> {
  const { mapi, capi, infra, infraResource } = observed;
  if (kind.kind === 'MachineSet' && mapi !== undefined) await orphanMirrors(mapi, context);
  // The mirror last: it is what wakes us.
  await release(kind.capi, capi, [syncFinalizer], context);
  if (kind.kind === 'Machine' && infra !== undefined && (isDeleting(infra) || capi === undefined))
    await release(infraResource, infra, [syncFinalizer], context);
  await release(kind.mapi, mapi, [syncFinalizer], context);
  return done();
}

/** Or else they would be collected with their set, and the machines, which Cluster API decides about, with them. */
async function orphanMirrors(set: Frozen<KubeObject>, { client, sources, signal }: ReconcileContext): Promise<void> {
  const mirrors = sources.sourceFor(mapiMachines);
  for (const mirror of mirrors.byIndex(ownerSetIndex, set.metadata.name ?? '')) {
    if (mirror.status?.authoritativeAPI !== 'ClusterAPI') continue;
    const orphan = edit(mirror, (draft) => removeOwnerReference(draft.metadata, ownerReference(set)));
    await patchObject(client, mapiMachines, mirror, orphan, { signal });
  }
}

async function release(
  resource: Resource,
  object: Frozen<KubeObject> | undefined,
  finalizers: readonly string[],
  { client, signal }: ReconcileContext,
): Promise<void> {
  if (object === undefined || !finalizers.some((finalizer) => hasFinalizer(object, finalizer))) return;
  const after = edit(object, (draft) => finalizers.forEach((finalizer) => removeFinalizer(draft.metadata, finalizer)));
  await patchObject(client, resource, object, after, { signal });
}
