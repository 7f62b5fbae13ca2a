import { labels } from '@slipway/cluster-api';
import { devConditions } from '@slipway/dev';
import { type ObjectRef, type ObjectSet, type Observed, referenceAt, refKey, refOf } from '../objects/index.js';
import { conditionsOf } from '../tree/index.js';
import type { MilestoneTimes } from './marks.js';
import type { MachineRun } from './runs.js';

/** A milestone of the creation of a cluster, with the milestones that it depends on. */
export interface Milestone {
  readonly id: string;
  readonly phase: PhaseName;
  readonly object: ObjectRef;
  readonly what: string;
  /** Milliseconds since the epoch. Undefined until the milestone is reached. */
  readonly atMs: number | undefined;
  readonly after: readonly string[];
}

export type PhaseName =
  | 'manifest'
  | 'load balancer'
  | 'first control plane'
  | 'other control planes'
  | 'workers'
  | 'later machines'
  | 'ready';

interface MilestoneContext {
  readonly set: ObjectSet;
  readonly milestoneTimes: MilestoneTimes;
  readonly milestones: Milestone[];
}

/** Returns the milestones from the manifest to an available cluster, as a dependency graph. */
export function milestonesOf(
  set: ObjectSet,
  cluster: Observed,
  milestoneTimes: MilestoneTimes,
  runs: readonly MachineRun[],
): readonly Milestone[] {
  const context: MilestoneContext = { set, milestoneTimes, milestones: [] };
  const start = add(context, 'manifest', cluster, 'created', 'manifest applied', []);
  const infrastructure = follow(set, cluster, 'spec.infrastructureRef');
  const infrastructureReadyAt =
    milestoneTimes.first(cluster, 'InfrastructureReady') ??
    milestoneTimes.first(infrastructure, 'provisioned', 'Ready');
  const infrastructureReady = put(
    context,
    'load balancer',
    infrastructure ?? cluster,
    'infrastructure ready',
    infrastructureReadyAt,
    [start],
  );
  const [creation, ...later] = runs;
  const machines = creation?.members ?? [];
  const own = machines.filter(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, labels.controlPlane));
  const [first, ...others] = own;
  const firstMilestones =
    first === undefined
      ? [infrastructureReady]
      : machineMilestones(context, 'first control plane', first, [infrastructureReady], []);
  const initialized = add(
    context,
    'first control plane',
    cluster,
    'ControlPlaneInitialized',
    'control plane initialized',
    firstMilestones,
  );
  let previous = initialized;
  const ready = [initialized];
  for (const machine of others) {
    const end = machineMilestones(context, 'other control planes', machine, [previous], []).at(-1) ?? previous;
    ready.push(end);
    previous = end;
  }
  const workers = machines
    .filter((machine) => !own.includes(machine))
    .flatMap((machine) => machineMilestones(context, 'workers', machine, [infrastructureReady], [initialized]));
  const available = firstAvailable(milestoneTimes, cluster, runs);
  const end = put(context, 'ready', cluster, 'available', available, [...ready, ...firstMilestones, ...workers]);
  // These machines depend on the first availability, not the other way round: later upgrades and scalings created them.
  for (const machine of later.flatMap(({ members }) => members))
    if (set.byUid(machine.metadata.uid) !== undefined) machineMilestones(context, 'later machines', machine, [end], []);
  return context.milestones;
}

/**
 * Returns when the cluster first became available. The condition contains only its last transition: if that lies after the start
 * of a later run, the time is when the machines of the creation were ready.
 */
function firstAvailable(
  milestoneTimes: MilestoneTimes,
  cluster: Observed,
  runs: readonly MachineRun[],
): number | undefined {
  const at = milestoneTimes.at(cluster, 'Available');
  const [creation, next] = runs;
  const startMs = milestoneTimes.at(cluster, 'created') ?? 0;
  if (next === undefined || (at !== undefined && at <= startMs + next.startMs)) return at;
  return creation?.endMs === undefined ? undefined : startMs + creation.endMs;
}

function follow(set: ObjectSet, from: Observed, path: string): Observed | undefined {
  const target = referenceAt(from, path);
  return target && set.get(target);
}

function add(
  context: MilestoneContext,
  phase: PhaseName,
  object: Observed,
  mark: string,
  what: string,
  after: readonly string[],
): string {
  return put(context, phase, object, what, context.milestoneTimes.at(object, mark), after);
}

function put(
  { milestones }: MilestoneContext,
  phase: PhaseName,
  object: Observed,
  what: string,
  atMs: number | undefined,
  after: readonly string[],
): string {
  const ref = refOf(object);
  const id = `${refKey(ref)} ${what}`;
  milestones.push({ id, phase, object: ref, what, atMs, after });
  return id;
}

/**
 * Adds the milestones of a machine, from created to ready, and returns their IDs in order. `after` are the dependencies of its
 * creation, `forData` those of its bootstrap data.
 */
function machineMilestones(
  context: MilestoneContext,
  phase: PhaseName,
  machine: Observed,
  after: readonly string[],
  forData: readonly string[],
): readonly string[] {
  const { set, milestoneTimes } = context;
  const created = add(context, phase, machine, 'created', 'Machine created', after);
  const data = add(context, phase, machine, 'BootstrapConfigReady', 'bootstrap data available', [created, ...forData]);
  const infrastructure = follow(set, machine, 'spec.infrastructureRef');
  let last = data;
  const stages = [data];
  for (const { type, atMs } of stagesOf(infrastructure, milestoneTimes)) {
    last = put(context, phase, infrastructure ?? machine, type, atMs, [last]);
    stages.push(last);
  }
  const up = put(context, phase, machine, 'machine provisioned', milestoneTimes.first(machine, 'InfrastructureReady'), [
    last,
  ]);
  const node = put(
    context,
    phase,
    machine,
    'Node joined',
    milestoneTimes.first(machine, 'node', 'NodeReady', 'NodeHealthy'),
    // The Node of a control plane machine can join before the provider reports the machine as provisioned.
    [...stages, up],
  );
  const ready = add(context, phase, machine, 'Ready', 'Machine ready', [up, node]);
  return [created, data, last, up, node, ready];
}

/** Returns the milestones that the provider reports for the machine, in chronological order. */
function stagesOf(
  infrastructure: Observed | undefined,
  milestoneTimes: MilestoneTimes,
): readonly { readonly type: string; readonly atMs: number }[] {
  if (infrastructure === undefined) return [];
  return conditionsOf(infrastructure)
    .flatMap(({ type }) => {
      const atMs = milestoneTimes.at(infrastructure, type);
      return type === 'Ready' || atMs === undefined ? [] : [{ type, atMs }];
    })
    .toSorted((left, right) => left.atMs - right.atMs || orderOf(left.type) - orderOf(right.type));
}

const conditionOrder: readonly string[] = [
  devConditions.vmProvisioned,
  devConditions.nodeProvisioned,
  devConditions.etcdProvisioned,
  devConditions.apiServerProvisioned,
];

/** Returns the position of a condition type among milestones of the same second, which is the resolution of condition times. */
function orderOf(type: string): number {
  return conditionOrder.indexOf(type);
}
