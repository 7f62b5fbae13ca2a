import type { ChangeRecord } from '@slipway/runtime';
import { type ObjectRef, type ObjectSet, type Observed, refKey, refOf, relatedTo } from '../objects/index.js';

/** A change that a controller made to an object of the cluster, with its reason. */
export interface TimelineChange {
  /** Milliseconds since the manifest was applied. */
  readonly atMs: number;
  readonly object: ObjectRef;
  readonly controller: string;
  /** The verb of the write, or the name of an external call. */
  readonly action: string;
  readonly reason: string;
  readonly message: string;
  readonly failed: boolean;
}

/**
 * Returns the object of the set that a record is about. Returns undefined for objects outside of the set, for a deleted object
 * with the same name, and for writes to workload clusters.
 */
export function changedObjectOf(set: ObjectSet, { object, cluster }: ChangeRecord): ObjectRef | undefined {
  const { group, kind, namespace, name, uid } = object;
  const ref = { group, kind, namespace, name };
  const found = cluster === undefined ? set.get(ref) : undefined;
  return found === undefined || (uid !== undefined && uid !== found.metadata.uid) ? undefined : ref;
}

/**
 * Returns the changes to objects of the cluster. Omits writes that change only status or metadata: conditions show their result.
 */
export function timelineChanges(
  set: ObjectSet,
  cluster: Observed,
  records: readonly ChangeRecord[],
  startMs: number,
): readonly TimelineChange[] {
  const related = new Set([...relatedTo(set, cluster)].map((object) => refKey(refOf(object))));
  return records.flatMap((record) => {
    const object = isRoutine(record) ? undefined : changedObjectOf(set, record);
    if (object === undefined || !related.has(refKey(object))) return [];
    const { time, controller, verb, action = verb, reason, message, result } = record;
    return [{ atMs: time - startMs, object, controller, action, reason, message, failed: result === 'failed' }];
  });
}

function isRoutine({ verb, fields, result }: ChangeRecord): boolean {
  if (result === 'unchanged' || verb === 'status') return true;
  return verb === 'patch' && fields.length > 0 && fields.every(({ path }) => path.startsWith('metadata'));
}
