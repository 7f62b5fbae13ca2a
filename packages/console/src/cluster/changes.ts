import { changedObjectOf, type ObjectSet } from '@slipway/insight';
import type { ChangeRecord } from '@slipway/runtime';
import { type ChangeView, refKey } from '../model/cluster.js';

const changesMax = 150;

/**
 * Returns the newest changes by controllers to objects of the set. The set contains only objects that the user may read, so
 * changes of other objects are not shown. Records about a deleted object with the same name are omitted.
 */
export function changesOf(set: ObjectSet, records: readonly ChangeRecord[]): Record<string, ChangeView> {
  const views: Record<string, ChangeView> = {};
  let count = 0;
  for (const record of records.toReversed()) {
    const about = changedObjectOf(set, record);
    if (about === undefined) continue;
    const view = viewOf(record, about);
    views[keyOf(view, views)] = view;
    count += 1;
    if (count >= changesMax) break;
  }
  return views;
}

/** Returns the key of a change. A record always gets the same key, so that the difference between two views is small. */
function keyOf({ about, at, action, reason }: ChangeView, taken: Readonly<Record<string, ChangeView>>): string {
  let key = `${refKey(about)} ${at} ${action} ${reason}`;
  while (Object.hasOwn(taken, key)) key += "'";
  return key;
}

function viewOf(record: ChangeRecord, about: ChangeView['about']): ChangeView {
  const { time: at, controller, verb, action = verb, reason, message, result } = record;
  return { about, at, controller, action, reason, message, failed: result === 'failed' };
}
