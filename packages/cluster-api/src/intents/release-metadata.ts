import { asJson, type Frozen, isReason, type JsonObject, type JsonValue, type KubeObject } from '@slipway/kube';
import { keyOf, type ReconcileContext, type Resource } from '@slipway/runtime';

/** A field manager that owned labels and annotations before these had their own field manager. */
export interface FormerManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
}

const released = ['f:labels', 'f:annotations'] as const;

/** Returns the managed fields without the labels and annotations of the former managers. Undefined if they own none. */
export function withoutMetadata(
  managedFields: readonly JsonObject[],
  former: readonly FormerManager[],
): JsonObject[] | undefined {
  let changed = false;
  const kept = managedFields.flatMap((entry) => {
    const isFormer = former.some(
      ({ manager, operation }) => entry['manager'] === manager && entry['operation'] === operation,
    );
    const fields = isFormer && (entry['subresource'] ?? '') === '' ? objectOf(entry['fieldsV1']) : undefined;
    const metadata = objectOf(fields?.['f:metadata']);
    if (fields === undefined || metadata === undefined || !released.some((key) => key in metadata)) return [entry];
    changed = true;
    const { 'f:metadata': _metadata, ...rest } = fields;
    const { 'f:labels': _labels, 'f:annotations': _annotations, ...left } = metadata;
    const fieldsV1 = Object.keys(left).length === 0 ? rest : { ...rest, 'f:metadata': left };
    return Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }];
  });
  return changed ? kept : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

const attemptsMax = 5;

/**
 * Removes labels and annotations from the managed fields of their former managers. While a former manager owns a label, it stays
 * on objects after it is removed from their template.
 */
export async function releaseMetadata(
  context: Pick<ReconcileContext, 'read' | 'change' | 'signal'>,
  resource: Resource,
  object: Frozen<KubeObject>,
  former: readonly FormerManager[],
): Promise<void> {
  const key = keyOf(object);
  let latest = object;
  for (let attempt = 1; ; attempt += 1) {
    const patch = releasePatch(latest, former);
    if (patch === undefined) return;
    try {
      const message = `Released labels and annotations of ${resource.kind} ${key.name} from former field managers`;
      await context.change({
        verb: 'patch',
        resource,
        key,
        body: { type: 'json', patch },
        reason: 'FieldsReleased',
        message,
      });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      latest = await context.read.get(resource, key, { signal: context.signal });
    }
  }
}

/** Returns the patch. It contains the resourceVersion that it was computed from: managed fields change with every write. */
function releasePatch(object: Frozen<KubeObject>, former: readonly FormerManager[]): JsonObject[] | undefined {
  const { managedFields, resourceVersion = '' } = (asJson(object)['metadata'] ?? {}) as {
    readonly managedFields?: readonly JsonObject[];
    readonly resourceVersion?: string;
  };
  const value = withoutMetadata(managedFields ?? [], former);
  if (value === undefined) return undefined;
  return [
    { op: 'replace', path: '/metadata/managedFields', value },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
}
