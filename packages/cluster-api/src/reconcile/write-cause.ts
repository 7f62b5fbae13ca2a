import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import { type Cause, hasFinalizer } from '@slipway/runtime';

interface WriteCauseOptions {
  /** The finalizer of this controller. */
  readonly finalizer?: string;
  /** Why metadata or spec changed. By default: because the owner and labels were set. */
  readonly body?: Cause | undefined;
}

/** Returns the reason for the final write of a reconcile: finalizer removed, metadata or spec changed, or only the status. */
export function writeCause(
  before: Frozen<KubeObject>,
  after: Frozen<KubeObject>,
  { finalizer, body }: WriteCauseOptions = {},
): Cause {
  if (finalizer !== undefined && hasFinalizer(before, finalizer) && !hasFinalizer(after, finalizer))
    return { reason: 'FinalizerRemoved', message: `Removed finalizer ${finalizer}` };
  const { status: _before, ...was } = before as { readonly status?: unknown };
  const { status: _after, ...is } = after as { readonly status?: unknown };
  if (deepEqual(was, is)) return { reason: 'StatusUpdated', message: 'Updated status' };
  return body ?? { reason: 'Adopted', message: 'Set the cluster name label and the owner reference to the Cluster' };
}
