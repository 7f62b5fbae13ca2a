import { formatTime, type Frozen, type KubeObject } from '@slipway/kube';

export type ManagedFields = NonNullable<Frozen<KubeObject>['metadata']['managedFields']>;
type Entry = ManagedFields[number];

/**
 * Who owns which fields, without what is said in versions that are served no longer: a server cannot convert that, and
 * would fail the next apply. Undefined when nothing has to go. One entry stays in any case, since an empty list would have
 * the server begin anew, with one manager for all.
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
