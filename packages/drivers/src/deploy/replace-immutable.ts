import { deepEqual, type Frozen, type JsonValue, type KubeObject } from '@slipway/kube';
import { type ReconcileContext, type Resource, volumeAttachments } from '@slipway/runtime';
import { csiDriverName, DriverError } from '../api/index.js';

/** Returns whether the object differs from the desired one in an immutable field, and must be deleted and created again. */
export function needsReplacement(live: Frozen<KubeObject>, desired: KubeObject): boolean {
  const differs = (field: (object: Frozen<KubeObject>) => unknown): boolean => {
    const [is, shall] = [field(live), field(desired as Frozen<KubeObject>)];
    return shall !== undefined && !deepEqual(is as JsonValue, shall as JsonValue);
  };
  const specOf = (object: Frozen<KubeObject>): Readonly<Record<string, unknown>> =>
    (object['spec'] ?? {}) as Readonly<Record<string, unknown>>;
  switch (desired.kind) {
    case 'DaemonSet':
    case 'Deployment':
      return differs((object) => specOf(object)['selector']);
    case 'CSIDriver':
      return differs((object) => specOf(object)['attachRequired']);
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return differs((object) => object['roleRef']);
    case 'Secret':
      return differs((object) => object['type']);
    default:
      return false;
  }
}

/** Deletes one object with its pods. A CSIDriver is kept until no volume is being attached or detached. */
export async function removeForReplacement(
  resource: Resource,
  live: Frozen<KubeObject>,
  context: Pick<ReconcileContext, 'read' | 'change' | 'signal'>,
): Promise<void> {
  const { namespace = '', name = '', uid } = live.metadata;
  if (live.kind === 'CSIDriver') {
    const { items } = await context.read.list(volumeAttachments, { signal: context.signal });
    const moving = items.filter(
      ({ spec, status, metadata }) =>
        spec.attacher === csiDriverName && (status?.attached !== true || metadata.deletionTimestamp),
    );
    if (moving.length > 0)
      throw new DriverError(
        'WaitingForRollout',
        `${moving.length} volumes are being attached or detached: waiting to re-create the CSIDriver`,
      );
  }
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  await context.change({
    verb: 'delete',
    resource,
    key: { namespace, name },
    options: { propagationPolicy: 'Background', ...preconditions },
    reason: 'ImmutableFieldChanged',
    message: `Deleted ${live.kind} ${name} to re-create it, because immutable fields changed`,
  });
}
