import {
  asJson,
  cloneJson,
  deepEqual,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type MutableJsonObject,
} from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';
import { fieldManagers, topologyAnnotations } from '../../api/index.js';
import { conversionDataAnnotation } from '../../conversion/index.js';
import { type FieldPath, fieldAt, removeField, setField } from '../json-fields.js';
import type { ObservedObject } from '../topology-state.js';

export interface Difference {
  readonly isChanged: boolean;
  /** More than labels, annotations, owners and who owns which field. */
  readonly isSpecChanged: boolean;
}

/** The part of an object that a topology has an opinion on: what is applied. */
export function intentOf(desired: KubeObject, ignored: readonly FieldPath[] = []): MutableJsonObject {
  const { name, namespace, labels, annotations, ownerReferences } = desired.metadata;
  const intent = cloneJson({
    apiVersion: desired.apiVersion,
    kind: desired.kind,
    metadata: { name, namespace, labels, annotations, ownerReferences },
    ...(desired['spec'] === undefined ? {} : { spec: desired['spec'] }),
  }) as unknown as MutableJsonObject;
  for (const path of ignored) removeField(intent, path);
  return intent;
}

/**
 * What applying an intent would change. The server is asked, since only it knows defaults and what admission adds. When the
 * answer differs from what is there, what is there is asked about as well: a default that is new to both is no difference.
 * The annotation tells admission that this is a question, also where a field may never change.
 */
export async function compareByDryRun(
  client: Client,
  resource: Resource,
  current: ObservedObject,
  intent: JsonObject,
  signal: AbortSignal,
): Promise<Difference> {
  const { namespace = '', name = '' } = current.metadata;
  const ask = async (configuration: JsonObject): Promise<JsonObject> => {
    const marked = cloneJson(configuration) as MutableJsonObject;
    setField(marked, ['metadata', 'annotations', topologyAnnotations.dryRun], '');
    setField(marked, ['metadata', 'uid'], current.metadata.uid ?? '');
    const options = { fieldManager: fieldManagers.topology, force: true, dryRun: true, signal };
    return asJson(await client.apply(resource, { namespace, name }, marked, options));
  };
  // Caches leave out who owns which field, and may be behind.
  const before = await client.get(resource, { namespace, name }, { signal });
  const after = comparable(await ask(intent));
  const asIs = comparable(asJson(before));
  if (deepEqual(after, asIs)) return { isChanged: false, isSpecChanged: false };
  const defaulted: Comparable = {
    ...comparable(await ask(intentOf(cloneJson(before) as KubeObject))),
    owned: asIs.owned,
  };
  return {
    isChanged: !deepEqual(after, defaulted),
    isSpecChanged: !deepEqual(after.spec, defaulted.spec),
  };
}

type Comparable = Readonly<Record<'labels' | 'annotations' | 'ownerReferences' | 'spec' | 'owned', JsonValue>>;

function comparable(object: JsonObject): Comparable {
  const annotations = { ...(fieldAt(object, ['metadata', 'annotations']) as Record<string, string> | undefined) };
  delete annotations[topologyAnnotations.dryRun];
  delete annotations[conversionDataAnnotation];
  return {
    labels: fieldAt(object, ['metadata', 'labels']) ?? {},
    annotations,
    ownerReferences: fieldAt(object, ['metadata', 'ownerReferences']) ?? [],
    spec: object['spec'] ?? {},
    owned: ownedFields(object),
  };
}

/** The fields that are ours. One that we leave to another owner changes nothing else, and still has to be written. */
function ownedFields(object: JsonObject): JsonValue {
  const entries = (fieldAt(object, ['metadata', 'managedFields']) ?? []) as readonly JsonObject[];
  const own = entries.find(
    (entry) =>
      entry['manager'] === fieldManagers.topology &&
      entry['operation'] === 'Apply' &&
      (entry['subresource'] ?? '') === '',
  );
  if (own === undefined) return {};
  const fields = cloneJson(own['fieldsV1'] ?? {}) as MutableJsonObject;
  const path = ['f:metadata', 'f:annotations'];
  for (const name of [topologyAnnotations.dryRun, conversionDataAnnotation])
    removeField(fields, [...path, `f:${name}`]);
  const left = fieldAt(fields, path);
  const isEmpty = typeof left === 'object' && left !== null && Object.keys(left).every((key) => key === '.');
  if (isEmpty) removeField(fields, path);
  return fields;
}
