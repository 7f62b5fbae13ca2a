import { timeOf } from '@slipway/kube';
import { flagAt } from '@slipway/cluster-api';
import { type ObjectRef, type ObjectSet, type Observed, refKey, refOf } from '../objects/index.js';
import { conditionsOf } from '../tree/index.js';

/** Something that is known to have happened. */
export interface Mark {
  readonly atMs: number;
  readonly object: ObjectRef;
  /** `created`, `deleted`, or the condition that came true. */
  readonly what: string;
  /** Where it is known from. */
  readonly source: 'creation' | 'condition' | 'event' | 'history' | 'deletion';
}

/** The times of milestones, as far as the server still has data about them. */
export class Chronicle {
  readonly #marks = new Map<string, Mark>();

  /** An earlier one counts: a condition may have become true more than once. */
  note(mark: Mark): void {
    const key = `${refKey(mark.object)} ${mark.what}`;
    const known = this.#marks.get(key);
    if (known === undefined || mark.atMs < known.atMs) this.#marks.set(key, mark);
  }

  at(object: Observed | undefined, what: string): number | undefined {
    return object && this.#marks.get(`${refKey(refOf(object))} ${what}`)?.atMs;
  }

  /** The earliest of several things, for objects of different providers say the same in different words. */
  first(object: Observed | undefined, ...whats: readonly string[]): number | undefined {
    const found = whats.map((what) => this.at(object, what)).filter((at) => at !== undefined);
    return found.length === 0 ? undefined : Math.min(...found);
  }

  get marks(): readonly Mark[] {
    return [...this.#marks.values()].toSorted(
      (left, right) => left.atMs - right.atMs || (left.what < right.what ? -1 : 1),
    );
  }
}

const negative = new Set(['Paused', 'Deleting', 'RollingOut', 'ScalingUp', 'ScalingDown', 'Updating', 'Remediating']);

/** From what the objects are now: creation, conditions that are true, deletion, and the events about them. */
export function chronicleOf(set: ObjectSet, history: readonly Observed[] = []): Chronicle {
  const chronicle = new Chronicle();
  for (const object of history) noteObject(chronicle, object, 'history');
  for (const object of set.objects) noteObject(chronicle, object, 'condition');
  for (const { about, reason, firstAt } of set.events) {
    const what = eventMarks[reason];
    if (what !== undefined) chronicle.note({ atMs: firstAt, object: about, what, source: 'event' });
  }
  return chronicle;
}

/** Events with the same meaning as a condition, which keep the first time if the condition changes again. */
const eventMarks: Readonly<Record<string, string>> = {
  InfrastructureReady: 'InfrastructureReady',
  ControlPlaneInitialized: 'ControlPlaneInitialized',
  SuccessfulSetNodeRef: 'node',
};

function noteObject(chronicle: Chronicle, object: Observed, source: 'condition' | 'history'): void {
  const ref = refOf(object);
  const created = timeOf(object.metadata.creationTimestamp);
  if (created !== undefined) chronicle.note({ atMs: created, object: ref, what: 'created', source: 'creation' });
  const deleted = timeOf(object.metadata.deletionTimestamp);
  if (deleted !== undefined) chronicle.note({ atMs: deleted, object: ref, what: 'deleted', source: 'deletion' });
  for (const { type, status, lastTransitionTime } of conditionsOf(object)) {
    const at = timeOf(lastTransitionTime);
    if (at === undefined || negative.has(type) || status !== 'True') continue;
    // UpToDate is True from the start and is not a milestone.
    if (type === 'UpToDate' || type.endsWith('UpToDate')) continue;
    chronicle.note({ atMs: at, object: ref, what: type, source });
  }
  if (flagAt(object, 'status', 'initialization', 'provisioned')) notedByFields(chronicle, object, ref);
}

/** For providers without conditions: when the status was written last is the latest that it can have been. */
function notedByFields(chronicle: Chronicle, object: Observed, ref: ObjectRef): void {
  const times = (object.metadata.managedFields ?? []).flatMap(({ subresource, time }) =>
    subresource === 'status' ? (timeOf(time) ?? []) : [],
  );
  if (times.length > 0)
    chronicle.note({ atMs: Math.min(...times), object: ref, what: 'provisioned', source: 'condition' });
}
