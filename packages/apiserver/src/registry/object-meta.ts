import type { Random } from '@slipway/base';
import {
  badRequest,
  conflict,
  formatTime,
  type Frozen,
  generateUid,
  type KubeObject,
  type ObjectMeta,
} from '@slipway/kube';
import { resourceName, type ServedResource } from './read.js';

/** Removes metadata that clients may send but only the server sets. */
export function wipeSystemFields(meta: ObjectMeta): void {
  delete meta.uid;
  delete meta.creationTimestamp;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete meta.generation;
  delete (meta as Record<string, unknown>)['selfLink'];
}

export function fillSystemFields(meta: ObjectMeta, now: number, random: Random): void {
  meta.uid = generateUid(random);
  meta.creationTimestamp = formatTime(now);
}

/** Sets the namespace of the URL, and clears it on cluster-scoped objects. Rejects an object with a different namespace. */
export function ensureNamespace(served: ServedResource, object: KubeObject, namespace: string): void {
  const { metadata } = object;
  if (!served.definition.namespaced) {
    delete metadata.namespace;
    return;
  }
  if ((metadata.namespace ?? '') !== '' && metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  metadata.namespace = namespace;
}

export function ensureName(object: KubeObject, name: string): void {
  if ((object.metadata.name ?? '') === '') {
    object.metadata.name = name;
    return;
  }
  if (object.metadata.name !== name) {
    throw badRequest(`the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`);
  }
}

/** Throws a conflict if the update has another uid, because such an update is meant for another object. */
export function ensureUid(served: ServedResource, object: KubeObject, old: Frozen<KubeObject>): void {
  const uid = object.metadata.uid ?? '';
  if (uid === '' || uid === old.metadata.uid) return;
  throw conflict(
    resourceName(served.definition),
    old.metadata.name ?? '',
    `StorageError: invalid object, Code: 4, Key: ${storagePath(served, old)}, ResourceVersion: 0, AdditionalErrorMsg: ` +
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`,
  );
}

/** Restores the metadata that the server owns. Validation rejects other changes of immutable metadata. */
export function keepSystemFields(object: KubeObject, old: Frozen<KubeObject>): void {
  const { metadata } = object;
  if ((metadata.uid ?? '') === '') keep(metadata, old.metadata, 'uid');
  keep(metadata, old.metadata, 'creationTimestamp');
  if (old.metadata.deletionTimestamp !== undefined) keep(metadata, old.metadata, 'deletionTimestamp');
  if (old.metadata.deletionGracePeriodSeconds !== undefined) keep(metadata, old.metadata, 'deletionGracePeriodSeconds');
  keep(metadata, old.metadata, 'generation');
  delete (metadata as Record<string, unknown>)['selfLink'];
}

function storagePath(served: ServedResource, old: Frozen<KubeObject>): string {
  const { definition } = served;
  const group = definition.group === '' ? '' : `${definition.group}/`;
  const namespace = definition.namespaced ? `${old.metadata.namespace ?? ''}/` : '';
  return `/registry/${group}${definition.plural}/${namespace}${old.metadata.name ?? ''}`;
}

function keep<Key extends keyof ObjectMeta>(meta: ObjectMeta, old: Frozen<ObjectMeta>, key: Key): void {
  const value = old[key];
  if (value === undefined) delete meta[key];
  else meta[key] = value as ObjectMeta[Key];
}
