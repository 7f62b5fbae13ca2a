import { edit, ensureOwnerReference, ownerReference, patchObject, type ReconcileContext } from '@slipway/runtime';
import type { ObservedCluster } from '../reconcile/index.js';
import type { MachineTemplates } from './observe-templates.js';

/**
 * Templates in use belong to the Cluster: they move with it and go with it. What kept a template from being looked for is
 * thrown at the end.
 */
export async function ownTemplates(
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  cluster: ObservedCluster,
  { bootstrap, infrastructure }: MachineTemplates,
): Promise<void> {
  for (const template of [bootstrap, infrastructure]) {
    if (template?.object === undefined || template.kind === undefined) continue;
    const { object, kind } = template;
    const owned = edit(object, ({ metadata }) => ensureOwnerReference(metadata, ownerReference(cluster)));
    await patchObject(client, kind.resource, object, owned, { signal });
  }
  const problem = bootstrap?.problem ?? infrastructure?.problem;
  if (problem !== undefined) throw problem;
}
