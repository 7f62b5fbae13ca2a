import {
  conditionOf,
  type ObjectRef,
  type ObjectSet,
  type Observed,
  referenceAt,
  refKey as insightKey,
  refOf,
  relatedTo,
  type TimelineEntry,
  timelineOf,
} from '@slipway/insight';
import { parseTime, timeOf } from '@slipway/kube';
import type { ChangeRecord } from '@slipway/runtime';
import { refKey } from '../model/cluster.js';
import type { LaneView, StepView, TimelineView } from '../model/timeline.js';

/** Returns the data of `slipway timeline`, with one lane each for the cluster, its control plane and its machines. */
export function timelineLanes(
  set: ObjectSet,
  cluster: Observed,
  history: readonly Observed[],
  changes: readonly ChangeRecord[] = [],
): TimelineView {
  const timeline = timelineOf(set, cluster, history, changes);
  const startedAt = parseTime(timeline.startedAt);
  const laneOf = laneFinder(set, cluster);
  const critical = new Set(timeline.criticalPath.map(({ object, what }) => `${insightKey(object)} ${what}`));
  const lanes = new Map<string, Lane>();
  const lane = (object: ObjectRef): Lane => {
    const { kind, name } = laneOf(object);
    const key = `${kind}|${name}`;
    const existing = lanes.get(key) ?? { title: name, kind, steps: [], missing: [], events: [] };
    lanes.set(key, existing);
    return existing;
  };
  for (const entry of timeline.entries) {
    const own = lane(entry.object);
    own.steps = [...own.steps, stepView(entry, critical)];
  }
  for (const { object, what } of timeline.missing) {
    const own = lane(object);
    own.missing = [...own.missing, what];
  }
  for (const object of relatedTo(set, cluster))
    if (isController(object)) addController(lane(refOf(object)), object, startedAt);
  for (const { about, reason, type, firstAt } of set.events) {
    const { kind, name } = laneOf(about);
    const own = lanes.get(`${kind}|${name}`);
    if (own !== undefined && firstAt >= startedAt)
      own.events = [...own.events, { atMs: firstAt - startedAt, reason, warning: type === 'Warning' }];
  }
  for (const { object, atMs, reason, controller, message, failed } of timeline.changes) {
    const { kind, name } = laneOf(object);
    const own = lanes.get(`${kind}|${name}`);
    if (own !== undefined && atMs >= 0)
      own.events = [...own.events, { atMs, reason, warning: failed, change: { controller, message } }];
  }
  return {
    startedAt,
    ...(timeline.tookMs !== undefined && { tookMs: timeline.tookMs }),
    phases: timeline.phases.map(({ name, startMs, endMs }) => ({
      name,
      startMs,
      ...(endMs !== undefined && { endMs }),
    })),
    lanes: Object.fromEntries(lanes),
    criticalPath: timeline.criticalPath.map(({ what, object, atMs, tookMs }) => ({ what, object, atMs, tookMs })),
  };
}

/** Returns whether the object creates machines. Such objects have their own lane. */
function isController({ kind, apiVersion }: Observed): boolean {
  if (kind.endsWith('Template')) return false;
  return (
    kind === 'MachineDeployment' ||
    kind === 'MachineSet' ||
    kind === 'MachinePool' ||
    apiVersion.startsWith('controlplane.')
  );
}

type Lane = { -readonly [Key in keyof LaneView]: LaneView[Key] };

/** Adds the steps of an object that creates machines: its creation, and when it became available according to its conditions. */
function addController(lane: Lane, object: Observed, startedAt: number): void {
  const ref = refOf(object);
  const createdMs = (timeOf(object.metadata.creationTimestamp) ?? startedAt) - startedAt;
  const available = conditionOf(object, 'Available');
  const at = available?.status === 'True' ? timeOf(available.lastTransitionTime) : undefined;
  const step = (what: string, atMs: number, fromMs: number, waitedFor: string): StepView => ({
    atMs,
    what,
    phase: '',
    object: ref,
    fromMs,
    waitedFor,
    isCritical: false,
  });
  lane.steps = [...lane.steps, step('created', createdMs, createdMs, '')];
  if (at !== undefined) lane.steps = [...lane.steps, step('available', at - startedAt, createdMs, 'its Machines')];
  else if (available !== undefined) lane.missing = [...lane.missing, 'available'];
}

function stepView(entry: TimelineEntry, critical: ReadonlySet<string>): StepView {
  const { atMs, what, phase, object, waitedFor } = entry;
  const where = waitedFor && refKey(waitedFor.object) !== refKey(object) ? ` of ${waitedFor.object.name}` : '';
  return {
    atMs,
    what,
    phase,
    object,
    fromMs: waitedFor?.atMs ?? atMs,
    waitedFor: waitedFor === undefined ? '' : `${waitedFor.what}${where}`,
    isCritical: critical.has(`${insightKey(object)} ${what}`),
  };
}

/** Returns a function that finds the lane of an object: the lane of its machine, or else the lane of its controller. */
function laneFinder(set: ObjectSet, cluster: Observed): (object: ObjectRef) => Pick<ObjectRef, 'kind' | 'name'> {
  const owners = new Map<string, ObjectRef>();
  for (const machine of set.ofKind('Machine')) {
    for (const path of ['spec.infrastructureRef', 'spec.bootstrap.configRef']) {
      const part = referenceAt(machine, path);
      if (part !== undefined) owners.set(insightKey(part), refOf(machine));
    }
  }
  const infrastructure = referenceAt(cluster, 'spec.infrastructureRef');
  if (infrastructure !== undefined) owners.set(insightKey(infrastructure), infrastructure);
  return (object) => owners.get(insightKey(object)) ?? object;
}
