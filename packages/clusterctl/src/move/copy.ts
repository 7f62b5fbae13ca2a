import { coversIntent } from '@slipway/cluster-api';
import {
  asJson,
  cloneJson,
  type Frozen,
  isReason,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ManagedFieldsEntry,
} from '@slipway/kube';
import { type Client, ifPresent, type RequestOptions } from '@slipway/runtime';
import type { MoveNode } from './graph.js';

/** Metadata fields that every API server sets itself. */
const ofServer = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'generateName',
] as const;

/**
 * Returns the object to create in the target: without status, which controllers rebuild, and with the owner UIDs of the target.
 */
function copyOf(object: Frozen<KubeObject>, newUids: ReadonlyMap<string, string>): KubeObject {
  const { status: _status, ...copy } = cloneJson(object) as KubeObject & { status?: unknown };
  const metadata: Record<string, unknown> = { ...copy.metadata };
  for (const field of ofServer) delete metadata[field];
  const owners = (object.metadata.ownerReferences ?? []).flatMap((owner) => {
    const uid = newUids.get(owner.uid);
    return uid === undefined ? [] : [{ ...owner, uid }];
  });
  delete metadata['ownerReferences'];
  if (owners.length > 0) metadata['ownerReferences'] = owners;
  return { ...copy, metadata } as KubeObject;
}

/** Creates the object, or uses the existing one. Returns its uid. */
export async function copyObject(
  client: Client,
  { resource, object, namespace, name, isGlobal, stays }: MoveNode,
  newUids: ReadonlyMap<string, string>,
  options: RequestOptions,
): Promise<string> {
  let made: Frozen<KubeObject>;
  try {
    made = await client.create(resource, copyOf(object, newUids), options);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists') || !(isGlobal || stays)) throw error;
    made = await client.get(resource, { namespace, name }, options);
    return made.metadata.uid ?? '';
  }
  await restoreManagers(client, resource, made, object.metadata.managedFields, options);
  return made.metadata.uid ?? '';
}

const attemptsMax = 10;

/**
 * Restores managedFields. Server-side apply works correctly only if they record what a manager has applied before (subtle
 * behaviour 43).
 */
async function restoreManagers(
  client: Client,
  resource: MoveNode['resource'],
  made: Frozen<KubeObject>,
  managedFields: readonly Frozen<ManagedFieldsEntry>[] | undefined,
  options: RequestOptions,
): Promise<void> {
  if (managedFields === undefined || managedFields.length === 0) return;
  const { namespace = '', name = '' } = made.metadata;
  let { resourceVersion = '' } = made.metadata;
  for (let attempt = 1; ; attempt += 1) {
    const patch = cloneJson({ metadata: { resourceVersion, managedFields } }) as unknown as JsonObject;
    try {
      await client.patch(resource, { namespace, name }, { type: 'merge', patch }, options);
      return;
    } catch (error) {
      // Controllers of the target immediately write the Paused condition of the object, so a conflict is expected.
      // Retry.
      if (!isReason(error, 'Conflict') || attempt === attemptsMax) throw error;
      resourceVersion = (await client.get(resource, { namespace, name }, options)).metadata.resourceVersion ?? '';
    }
  }
}

/** Returns the fields of the source that the target lacks. Undefined if nothing is lost. */
export async function differenceIn(
  client: Client,
  { resource, object, namespace, name }: MoveNode,
  options: RequestOptions,
): Promise<string | undefined> {
  const copied = await ifPresent(client.get(resource, { namespace, name }, options));
  if (copied === undefined) return 'not found in the target';
  const fields = lostFields(object, copied);
  return fields.length === 0 ? undefined : `the target object differs in ${fields.join(', ')}`;
}

/** Returns the fields of the source that are missing in the target. The target may have more fields, from defaults. */
function lostFields(source: Frozen<KubeObject>, target: Frozen<KubeObject>): string[] {
  const lost: string[] = [];
  const compare = (path: string, desired: JsonValue | undefined, actual: JsonValue | undefined): void => {
    if (!coversIntent(actual, desired)) lost.push(path);
  };
  const [from, to] = [asJson(source), asJson(target)];
  for (const field of Object.keys(from)) {
    if (!['apiVersion', 'kind', 'metadata', 'status'].includes(field)) compare(field, from[field], to[field]);
  }
  const [was, is] = [source.metadata, target.metadata];
  compare('metadata.labels', was.labels as JsonValue | undefined, is.labels as JsonValue | undefined);
  compare('metadata.annotations', was.annotations as JsonValue | undefined, is.annotations as JsonValue | undefined);
  compare('metadata.finalizers', was.finalizers as JsonValue | undefined, is.finalizers as JsonValue | undefined);
  return lost;
}
