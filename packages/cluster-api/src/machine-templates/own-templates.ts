import { edit, ensureOwnerReference, ownerReference, type ReconcileContext } from '@slipway/runtime';
import type { ObservedCluster } from '../reconcile/index.js';
import type { MachineTemplates } from './observe-templates.js';

/**
 * Adds the Cluster as owner of the templates in use, so that they are moved and deleted with it. Throws at the end if a lookup
 * failed.
 */
export async function ownTemplates(
  context: Pick<ReconcileContext, 'change'>,
  cluster: ObservedCluster,
  { bootstrap, infrastructure }: MachineTemplates,
): Promise<void> {
  for (const template of [bootstrap, infrastructure]) {
    if (template?.object === undefined || template.kind === undefined) continue;
    const { object: before, kind } = template;
    const after = edit(before, ({ metadata }) => ensureOwnerReference(metadata, ownerReference(cluster)));
    const message = `Set Cluster ${cluster.metadata.name ?? ''} as owner of ${before.kind} ${before.metadata.name ?? ''}`;
    await context.change({ verb: 'patch', resource: kind.resource, before, after, reason: 'Adopted', message });
  }
  const problem = bootstrap?.problem ?? infrastructure?.problem;
  if (problem !== undefined) throw problem;
}
