import { formatTime, type Frozen, type KubeObject } from '@slipway/kube';

export type ManagedFields = NonNullable<Frozen<KubeObject>['metadata']['managedFields']>;
type Entry = ManagedFields[number];

/**
 * Returns managedFields without entries whose API version is not served: the server cannot convert these and would fail the next
 * apply. Undefined if nothing must be removed. One entry always remains, because an empty list resets field ownership to a single
 * manager.
 */
export function withServedFields(
  fields: ManagedFields,
  served: ReadonlySet<string>,
  storage: { readonly apiVersion: string; readonly nowMs: number },
): readonly Entry[] | undefined {
  const kept = fields.filter(({ apiVersion }) => apiVersion === undefined || served.has(apiVersion));
  if (kept.length === fields.length) return undefined;
  const [first] = fields;
  if (kept.length > 0 || first === undefined) return kept;
  const { manager, operation } = first;
  return [
    {
      ...(manager !== undefined && { manager }),
      ...(operation !== undefined && { operation }),
      apiVersion: storage.apiVersion,
      time: formatTime(storage.nowMs),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:metadata': { 'f:name': {} } },
    },
  ];
}
