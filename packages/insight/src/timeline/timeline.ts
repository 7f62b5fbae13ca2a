import { formatTime } from '@slipway/kube';
import type { ChangeRecord } from '@slipway/runtime';
import { type ObjectRef, type ObjectSet, type Observed, refOf } from '../objects/index.js';
import { type TimelineChange, timelineChanges } from './changes.js';
import { milestoneTimesOf } from './marks.js';
import { machineRuns, type Run } from './runs.js';
import { type Milestone, milestonesOf, type PhaseName } from './milestones.js';

/** A phase of the creation, from its earliest possible start to its end. */
export interface Phase {
  readonly name: PhaseName;
  /** Milliseconds since the manifest was applied. */
  readonly startMs: number;
  /** Undefined while the phase is in progress. */
  readonly endMs: number | undefined;
}

interface CriticalStep {
  readonly object: ObjectRef;
  readonly what: string;
  readonly phase: PhaseName;
  readonly atMs: number;
  /** Milliseconds since the previous step. */
  readonly tookMs: number;
}

export interface TimelineEntry {
  readonly atMs: number;
  readonly object: ObjectRef;
  readonly what: string;
  readonly phase: PhaseName;
  /** The dependency that was reached last. Absent for the first milestone. */
  readonly waitedFor?: { readonly object: ObjectRef; readonly what: string; readonly atMs: number };
}

/**
 * The timeline of a cluster. Times are milliseconds since its manifest was applied. Times from conditions have a resolution of
 * seconds.
 */
export interface Timeline {
  readonly cluster: ObjectRef;
  readonly startedAt: string;
  /** Milliseconds until the cluster was available; undefined before that. */
  readonly tookMs: number | undefined;
  readonly phases: readonly Phase[];
  /** The creation, and every later upgrade, scaling and replacement that is known, oldest first. */
  readonly runs: readonly Run[];
  readonly entries: readonly TimelineEntry[];
  /** The chain of dependencies that determined the total time, from the manifest to the last milestone. */
  readonly criticalPath: readonly CriticalStep[];
  /** The changes made by controllers, oldest first. Empty if the management plane does not have a change feed. */
  readonly changes: readonly TimelineChange[];
  /** Milestones that are not reached yet. */
  readonly missing: readonly { readonly object: ObjectRef; readonly what: string }[];
}

/** The phases of the creation. Machines of later runs are not part of them. */
const phaseNames: readonly PhaseName[] = [
  'manifest',
  'load balancer',
  'first control plane',
  'other control planes',
  'workers',
  'ready',
];

/**
 * Computes the timeline of a cluster. `history` contains earlier states of objects, if the server still has them. `changes`
 * contains the records of the change feed, oldest first, if the management plane has one.
 */
export function timelineOf(
  set: ObjectSet,
  cluster: Observed,
  history: readonly Observed[] = [],
  changes: readonly ChangeRecord[] = [],
): Timeline {
  const milestoneTimes = milestoneTimesOf(set, history);
  const runs = machineRuns(set, cluster, history, milestoneTimes);
  const milestones = milestonesOf(set, cluster, milestoneTimes, runs);
  const startMs = milestoneTimes.at(cluster, 'created') ?? 0;
  const reached = milestones
    .flatMap((one) => (one.atMs === undefined ? [] : [{ ...one, atMs: one.atMs - startMs }]))
    .toSorted((left, right) => left.atMs - right.atMs);
  const end = reached.find(({ phase }) => phase === 'ready');
  return {
    cluster: refOf(cluster),
    startedAt: formatTime(startMs),
    tookMs: end?.atMs,
    runs: runs.map(({ members: _members, ...run }) => run),
    phases: phaseNames.flatMap((name) => phaseOf(name, milestones, startMs)),
    entries: entriesOf(reached),
    changes: timelineChanges(set, cluster, changes, startMs),
    criticalPath: criticalPath(reached, end ?? reached.at(-1)),
    missing: milestones.filter(({ atMs }) => atMs === undefined).map(({ object, what }) => ({ object, what })),
  };
}

function phaseOf(name: PhaseName, milestones: readonly Milestone[], startMs: number): Phase[] {
  const own = milestones.filter(({ phase }) => phase === name);
  const ids = new Set(own.map(({ id }) => id));
  const byId = new Map(milestones.map((one) => [one.id, one]));
  // The times at which dependencies outside of the phase were reached. The phase cannot start before.
  const begins = own.flatMap(({ after }) => after.filter((id) => !ids.has(id)).map((id) => byId.get(id)?.atMs));
  const earlier = begins.filter((at) => at !== undefined);
  const ends = own.map(({ atMs }) => atMs);
  if (own.length === 0 || (own.every(({ atMs }) => atMs === undefined) && earlier.length < begins.length)) return [];
  const from =
    name === 'ready'
      ? Math.max(...earlier.filter((at) => at <= (own[0]?.atMs ?? at)), startMs)
      : Math.min(...earlier, ...own.flatMap(({ atMs }) => atMs ?? []));
  const isOver = ends.every((at) => at !== undefined);
  const to = Math.max(...ends.filter((at) => at !== undefined), from);
  return [{ name, startMs: Math.max(from - startMs, 0), endMs: isOver ? to - startMs : undefined }];
}

interface Reached extends Omit<Milestone, 'atMs'> {
  readonly atMs: number;
}

function entriesOf(reached: readonly Reached[]): readonly TimelineEntry[] {
  const byId = new Map(reached.map((one) => [one.id, one]));
  return reached.map((step) => {
    const { atMs, object, what, phase } = step;
    const before = latestBefore(step, byId);
    const waitedFor = before && { object: before.object, what: before.what, atMs: before.atMs };
    return { atMs, object, what, phase, ...(waitedFor && { waitedFor }) };
  });
}

function latestBefore({ after, atMs: latest }: Reached, byId: ReadonlyMap<string, Reached>): Reached | undefined {
  // Ignore dependencies that were reached later: a cluster can be available before all its objects are. Conditions have whole
  // seconds, events and writes have fractions, so the order within one second is unknown.
  const before = after.flatMap((id) => byId.get(id) ?? []).filter(({ atMs }) => secondOf(atMs) <= secondOf(latest));
  // Among dependencies with the same time, take the last one, because it has the longer chain of dependencies.
  const [last] = before.toReversed().toSorted((left, right) => right.atMs - left.atMs);
  return last && { ...last, atMs: Math.min(last.atMs, latest) };
}

const secondOf = (ms: number): number => Math.floor(ms / 1_000);

/** Returns the critical path: starts at the end and repeatedly follows the dependency that was reached last. */
function criticalPath(reached: readonly Reached[], end: Reached | undefined): readonly CriticalStep[] {
  const byId = new Map(reached.map((one) => [one.id, one]));
  const path: Reached[] = [];
  const seen = new Set<string>();
  for (let step = end; step !== undefined && !seen.has(step.id); ) {
    seen.add(step.id);
    path.unshift(step);
    step = latestBefore(step, byId);
  }
  return path.map(({ object, what, phase, atMs }, index) => ({
    object,
    what,
    phase,
    atMs,
    tookMs: Math.max(atMs - (path[index - 1]?.atMs ?? atMs), 0),
  }));
}
