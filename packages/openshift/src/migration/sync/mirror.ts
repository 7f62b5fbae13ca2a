import { deepEqual, type Frozen, type KubeObject, type OwnerReference } from '@slipway/kube';
import {
  addFinalizer,
  type ConditionTarget,
  edit,
  type NewCondition,
  type ReconcileContext,
  type Resource,
  setCondition,
} from '@slipway/runtime';
import { recordOf } from '../conversion/conversion.js';
import { syncFinalizer } from '../state/deletion-plan.js';
import { ownersWith } from './owners.js';

/** Updates a mirror from the converted object. Fields that other clients added are kept. */
export async function updateMirror(
  resource: Resource,
  current: Frozen<KubeObject>,
  desired: KubeObject,
  owner: OwnerReference | undefined,
  context: Pick<ReconcileContext, 'change'>,
): Promise<Frozen<KubeObject>> {
  const after = edit(current, (draft) => {
    const { labels, annotations } = desired.metadata;
    Object.assign((draft.metadata.labels ??= {}), labels);
    Object.assign((draft.metadata.annotations ??= {}), annotations);
    addFinalizer(draft.metadata, syncFinalizer);
    const owners = ownersWith(current, owner);
    if (!deepEqual(owners, current.metadata.ownerReferences ?? [])) draft.metadata.ownerReferences = owners;
    if (!deepEqual(current['spec'], desired['spec'])) draft['spec'] = desired['spec'];
  });
  const message = `Updated the mirror ${current.metadata.name ?? ''} from its authoritative resource`;
  return context.change({ verb: 'patch', resource, before: current, after, reason: 'OriginalChanged', message });
}

/** Updates the status of a mirror. Absent fields stay unchanged; the value undefined removes a field. */
export async function writeMirrorStatus(
  resource: Resource,
  mirror: Frozen<KubeObject>,
  fields: Readonly<Record<string, unknown>>,
  conditions: readonly NewCondition[],
  context: ReconcileContext,
): Promise<void> {
  const after = edit(mirror, (draft) => {
    const status: Record<string, unknown> = { ...recordOf(mirror['status']), ...fields };
    for (const [field, value] of Object.entries(status)) if (value === undefined) delete status[field];
    if (!deepEqual(status, recordOf(mirror['status']))) draft['status'] = status as never;
    for (const condition of conditions) setCondition(draft as ConditionTarget, condition, context.clock.now());
  });
  await context.change({
    verb: 'status',
    resource,
    before: mirror,
    after,
    ownedConditions: conditions.map(({ type }) => type),
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
}
