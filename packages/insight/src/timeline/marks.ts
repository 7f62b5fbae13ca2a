import { timeOf } from '@slipway/kube';
import { flagAt } from '@slipway/cluster-api';
import { type ObjectRef, type ObjectSet, type Observed, refKey, refOf } from '../objects/index.js';
import { conditionsOf } from '../tree/index.js';

/** An observed milestone of an object. */
export interface Mark {
  readonly atMs: number;
  readonly object: ObjectRef;
  /** `created`, `deleted`, or the type of the condition that became true. */
  readonly what: string;
  /** The source of the time. */
  readonly source: 'creation' | 'condition' | 'event' | 'history' | 'deletion';
}

/** The times of milestones, as far as the server still has data about them. */
export class MilestoneTimes {
  readonly #marks = new Map<string, Mark>();

  /** Records a milestone. Keeps the earliest time, because a condition may have become true more than once. */
  record(mark: Mark): void {
    const key = `${refKey(mark.object)} ${mark.what}`;
    const earlier = this.#marks.get(key);
    if (earlier === undefined || mark.atMs < earlier.atMs) this.#marks.set(key, mark);
  }

  at(object: Observed | undefined, what: string): number | undefined {
    return object && this.#marks.get(`${refKey(refOf(object))} ${what}`)?.atMs;
  }

  /** Returns the time of the earliest of several milestones: providers use different condition types for the same milestone. */
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

/** Collects milestones from the objects and their earlier states: creation, true conditions and deletion, and from Events. */
export function milestoneTimesOf(set: ObjectSet, history: readonly Observed[] = []): MilestoneTimes {
  const milestoneTimes = new MilestoneTimes();
  for (const object of history) recordObject(milestoneTimes, object, 'history');
  for (const object of set.objects) recordObject(milestoneTimes, object, 'condition');
  for (const { about, reason, firstAt } of set.events) {
    const what = eventMarks[reason];
    if (what !== undefined) milestoneTimes.record({ atMs: firstAt, object: about, what, source: 'event' });
  }
  return milestoneTimes;
}

/** Maps Event reasons to condition types. The Event keeps the time of the first transition if the condition changes again. */
const eventMarks: Readonly<Record<string, string>> = {
  InfrastructureReady: 'InfrastructureReady',
  ControlPlaneInitialized: 'ControlPlaneInitialized',
  SuccessfulSetNodeRef: 'node',
};

function recordObject(milestoneTimes: MilestoneTimes, object: Observed, source: 'condition' | 'history'): void {
  const ref = refOf(object);
  const created = timeOf(object.metadata.creationTimestamp);
  if (created !== undefined) milestoneTimes.record({ atMs: created, object: ref, what: 'created', source: 'creation' });
  const deleted = timeOf(object.metadata.deletionTimestamp);
  if (deleted !== undefined) milestoneTimes.record({ atMs: deleted, object: ref, what: 'deleted', source: 'deletion' });
  for (const { type, status, lastTransitionTime } of conditionsOf(object)) {
    const at = timeOf(lastTransitionTime);
    if (at === undefined || negative.has(type) || status !== 'True') continue;
    // UpToDate is True from the start and is not a milestone.
    if (type === 'UpToDate' || type.endsWith('UpToDate')) continue;
    milestoneTimes.record({ atMs: at, object: ref, what: type, source });
  }
  if (flagAt(object, 'status', 'initialization', 'provisioned')) recordStatusWrite(milestoneTimes, object, ref);
}

/**
 * Records when an object without conditions was provisioned: the earliest status write in managedFields. Each manager lists only
 * its last write, so this is an estimate.
 */
function recordStatusWrite(milestoneTimes: MilestoneTimes, object: Observed, ref: ObjectRef): void {
  const times = (object.metadata.managedFields ?? []).flatMap(({ subresource, time }) =>
    subresource === 'status' ? (timeOf(time) ?? []) : [],
  );
  if (times.length > 0)
    milestoneTimes.record({ atMs: Math.min(...times), object: ref, what: 'provisioned', source: 'condition' });
}
