import { labels } from '@slipway/cluster-api';
import { devConditions } from '@slipway/dev';
import { type ObjectRef, type ObjectSet, type Observed, referenceAt, refKey, refOf } from '../objects/index.js';
import { conditionsOf } from '../tree/index.js';
import type { Chronicle } from './marks.js';
import type { MachineRun } from './runs.js';

/** A point that a cluster passes on its way, and the points that it had to pass before. */
export interface Milestone {
  readonly id: string;
  readonly phase: PhaseName;
  readonly object: ObjectRef;
  readonly what: string;
  /** Undefined while it is not reached. */
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

interface Scene {
  readonly set: ObjectSet;
  readonly chronicle: Chronicle;
  readonly milestones: Milestone[];
}

/** The way of a cluster from its manifest to being available, as a graph. */
export function milestonesOf(
  set: ObjectSet,
  cluster: Observed,
  chronicle: Chronicle,
  runs: readonly MachineRun[],
): readonly Milestone[] {
  const scene: Scene = { set, chronicle, milestones: [] };
  const start = add(scene, 'manifest', cluster, 'created', 'manifest applied', []);
  const infrastructure = follow(set, cluster, 'spec.infrastructureRef');
  const grounded =
    chronicle.first(cluster, 'InfrastructureReady') ?? chronicle.first(infrastructure, 'provisioned', 'Ready');
  const ground = put(scene, 'load balancer', infrastructure ?? cluster, 'infrastructure ready', grounded, [start]);
  const [creation, ...later] = runs;
  const machines = creation?.members ?? [];
  const own = machines.filter(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, labels.controlPlane));
  const [first, ...others] = own;
  const firstWay = first === undefined ? [ground] : machineWay(scene, 'first control plane', first, [ground], []);
  const initialized = add(
    scene,
    'first control plane',
    cluster,
    'ControlPlaneInitialized',
    'control plane initialized',
    firstWay,
  );
  let previous = initialized;
  const ready = [initialized];
  for (const machine of others) {
    const end = machineWay(scene, 'other control planes', machine, [previous], []).at(-1) ?? previous;
    ready.push(end);
    previous = end;
  }
  const workers = machines
    .filter((machine) => !own.includes(machine))
    .flatMap((machine) => machineWay(scene, 'workers', machine, [ground], [initialized]));
  const available = firstAvailable(chronicle, cluster, runs);
  const end = put(scene, 'ready', cluster, 'available', available, [...ready, ...firstWay, ...workers]);
  // The first availability does not depend on the machines of later upgrades and scalings.
  for (const machine of later.flatMap(({ members }) => members))
    if (set.byUid(machine.metadata.uid) !== undefined) machineWay(scene, 'later machines', machine, [end], []);
  return scene.milestones;
}

/**
 * The condition reports its last transition only. If it lies after the beginning of a later run, the cluster was available when the
 * machines of its creation were ready.
 */
function firstAvailable(chronicle: Chronicle, cluster: Observed, runs: readonly MachineRun[]): number | undefined {
  const at = chronicle.at(cluster, 'Available');
  const [creation, next] = runs;
  const startMs = chronicle.at(cluster, 'created') ?? 0;
  if (next === undefined || (at !== undefined && at <= startMs + next.startMs)) return at;
  return creation?.endMs === undefined ? undefined : startMs + creation.endMs;
}

function follow(set: ObjectSet, from: Observed, path: string): Observed | undefined {
  const target = referenceAt(from, path);
  return target && set.get(target);
}

function add(
  scene: Scene,
  phase: PhaseName,
  object: Observed,
  mark: string,
  what: string,
  after: readonly string[],
): string {
  return put(scene, phase, object, what, scene.chronicle.at(object, mark), after);
}

function put(
  { milestones }: Scene,
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

/** From being made to being ready, step after step: it may be of use before its end. `forData` is what the bootstrap data of a joining machine needs besides. */
function machineWay(
  scene: Scene,
  phase: PhaseName,
  machine: Observed,
  after: readonly string[],
  forData: readonly string[],
): readonly string[] {
  const { set, chronicle } = scene;
  const created = add(scene, phase, machine, 'created', 'Machine created', after);
  const data = add(scene, phase, machine, 'BootstrapConfigReady', 'bootstrap data available', [created, ...forData]);
  const infrastructure = follow(set, machine, 'spec.infrastructureRef');
  let last = data;
  for (const { type, atMs } of stagesOf(infrastructure, chronicle))
    last = put(scene, phase, infrastructure ?? machine, type, atMs, [last]);
  const up = put(scene, phase, machine, 'machine provisioned', chronicle.first(machine, 'InfrastructureReady'), [last]);
  const node = put(scene, phase, machine, 'Node joined', chronicle.first(machine, 'node', 'NodeReady', 'NodeHealthy'), [
    up,
  ]);
  const ready = add(scene, phase, machine, 'Ready', 'Machine ready', [node]);
  return [created, data, last, up, node, ready];
}

/** What the provider reports of the machine on its way, in the order in which it came. */
function stagesOf(
  infrastructure: Observed | undefined,
  chronicle: Chronicle,
): readonly { readonly type: string; readonly atMs: number }[] {
  if (infrastructure === undefined) return [];
  return conditionsOf(infrastructure)
    .flatMap(({ type }) => {
      const atMs = chronicle.at(infrastructure, type);
      return type === 'Ready' || atMs === undefined ? [] : [{ type, atMs }];
    })
    .toSorted((left, right) => left.atMs - right.atMs || usualPlace(left.type) - usualPlace(right.type));
}

const usual: readonly string[] = [
  devConditions.vmProvisioned,
  devConditions.nodeProvisioned,
  devConditions.etcdProvisioned,
  devConditions.apiServerProvisioned,
];

/** Times are whole seconds: of those that came in the same one, this is the order that they come in. */
function usualPlace(type: string): number {
  return usual.indexOf(type);
}
