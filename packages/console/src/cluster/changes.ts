import type { ObjectSet } from '@slipway/insight';
import type { ChangeRecord } from '@slipway/runtime';
import { type ChangeView, refKey } from '../model/cluster.js';

const changesMax = 150;

/**
 * The newest changes of the controllers to objects of the set. The set holds what the user was allowed to read, so nobody
 * learns of an object that the API server would not show to them. A record about an earlier object of the same name is left out.
 */
export function changesOf(set: ObjectSet, records: readonly ChangeRecord[]): Record<string, ChangeView> {
  const views: Record<string, ChangeView> = {};
  let count = 0;
  for (const record of records.toReversed()) {
    const { group, kind, namespace, name, uid } = record.object;
    const about = { group, kind, namespace, name };
    const object = record.cluster === undefined ? set.get(about) : undefined;
    if (object === undefined || (uid !== undefined && uid !== object.metadata.uid)) continue;
    const view = viewOf(record, about);
    views[keyOf(view, views)] = view;
    count += 1;
    if (count >= changesMax) break;
  }
  return views;
}

/** The same for the same record each time, so that the difference between two views is small. */
function keyOf({ about, at, action, reason }: ChangeView, taken: Readonly<Record<string, ChangeView>>): string {
  let key = `${refKey(about)} ${at} ${action} ${reason}`;
  while (Object.hasOwn(taken, key)) key += "'";
  return key;
}

function viewOf(record: ChangeRecord, about: ChangeView['about']): ChangeView {
  const { time: at, controller, verb, action = verb, reason, message, result } = record;
  return { about, at, controller, action, reason, message, failed: result === 'failed' };
}
