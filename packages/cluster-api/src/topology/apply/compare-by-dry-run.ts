import { createHash } from 'node:crypto';
import {
  asJson,
  canonicalJson,
  cloneJson,
  deepEqual,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type MutableJsonObject,
} from '@slipway/kube';
import { keyOf, type ReconcileContext, type Resource } from '@slipway/runtime';
import { fieldManagers, topologyAnnotations } from '../../api/index.js';
import { conversionDataAnnotation } from '../../conversion/index.js';
import { type FieldPath, fieldAt, removeField, setField } from '../json-fields.js';
import type { ObservedObject } from '../topology-state.js';

export interface Difference {
  readonly isChanged: boolean;
  /** Whether anything other than labels, annotations, owner references and managed fields changes. */
  readonly isSpecChanged: boolean;
}

/** The fields that a topology applies. */
export type Intent = MutableJsonObject & { readonly metadata: MutableJsonObject };

/** Returns the fields of an object that a topology manages, without the ignored ones. */
export function intentOf(desired: KubeObject, ignored: readonly FieldPath[] = []): Intent {
  const { name, namespace, labels, annotations, ownerReferences } = desired.metadata;
  const intent = cloneJson({
    apiVersion: desired.apiVersion,
    kind: desired.kind,
    metadata: { name, namespace, labels, annotations, ownerReferences },
    ...(desired['spec'] === undefined ? {} : { spec: desired['spec'] }),
  }) as unknown as Intent;
  for (const path of ignored) removeField(intent, path);
  return intent;
}

/**
 * Computes the effect of applying an intent with a server-side dry run, because only the server knows defaults and admission. If
 * the result differs from the current object, the current object is dry-run too: a new default that changes both is not a
 * difference. An annotation marks the dry run, so that admission accepts changes of immutable fields.
 */
export async function compareByDryRun(
  context: Pick<ReconcileContext, 'read' | 'preview' | 'signal'>,
  resource: Resource,
  current: ObservedObject,
  intent: JsonObject,
): Promise<Difference> {
  const key = keyOf(current);
  const ask = async (configuration: JsonObject): Promise<JsonObject> => {
    const marked = cloneJson(configuration) as MutableJsonObject;
    setField(marked, ['metadata', 'annotations', topologyAnnotations.dryRun], '');
    setField(marked, ['metadata', 'uid'], current.metadata.uid ?? '');
    const { topology: fieldManager } = fieldManagers;
    return asJson(await context.preview({ resource, key, configuration: marked, fieldManager }));
  };
  // Read from the API server: caches omit managedFields and may be stale.
  const before = await context.read.get(resource, key, { signal: context.signal });
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

/** Returns the fields that the topology owns. Releasing a field changes no value, but must be written. */
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

const entriesMax = 100_000;

/**
 * Remembers which intents change nothing on which objects, so that no request is sent until one of them changes. The status of an
 * object is ignored: it changes often and does not affect the result of an apply.
 */
export class NoOpCache {
  readonly #cached = new Map<string, string>();

  has(object: ObservedObject, intent: JsonValue): boolean {
    return this.#cached.get(object.metadata.uid ?? '') === fingerprint(object, intent);
  }

  add(object: ObservedObject, intent: JsonValue): void {
    const { uid = '' } = object.metadata;
    // Evict the oldest entry. An object that still exists is compared and added again.
    this.#cached.delete(uid);
    if (this.#cached.size >= entriesMax) this.#cached.delete(this.#cached.keys().next().value ?? '');
    this.#cached.set(uid, fingerprint(object, intent));
  }
}

function fingerprint({ metadata }: ObservedObject, intent: JsonValue): string {
  const { generation = 0, labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  const state = { generation, labels, annotations, ownerReferences } as unknown as JsonValue;
  return createHash('sha256')
    .update(canonicalJson([state, intent]))
    .digest('base64');
}
