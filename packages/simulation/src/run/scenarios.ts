import { between, chanceFor } from '../faults/chance.js';
import type { Fault, FaultKind, PlanOptions, Scene, UserAction } from './plan.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
/** A wish for a control plane of three, whose machines start at once. */
const three = 0.6;

/**
 * Histories that press on one mechanism, where the usual ones press a little on everything. What they share with those is
 * the world and all that must hold in it.
 */
export const scenarios = {
  /** Answers are lost, refused and late while clusters come up, until the very end: what is not tried again stays undone. */
  refusals: ({ seed, clusters, minutes }) => {
    const random = chanceFor(seed, 'refusals');
    const create = (cluster: number): UserAction =>
      wish('create', between(random, 0, 2 * minuteMs), cluster, random.next());
    const endMs = minutes * minuteMs;
    return {
      shape: 'embedded',
      actions: each(clusters, create),
      faults: [fault('network', 5 * secondMs, endMs, 0, 0.7 + 0.3 * random.next())],
    };
  },
  /** Caches lag behind all the time, and nothing else is wrong. */
  lag: ({ seed, clusters, minutes }) => {
    const random = chanceFor(seed, 'lag');
    const endMs = minutes * minuteMs;
    const grow = (cluster: number): UserAction[] => [
      wish('create', between(random, 0, minuteMs), cluster, random.next()),
      ...[1, 2, 3].map(() => wish('scaleWorkers', between(random, 3 * minuteMs, endMs), cluster, random.next())),
      wish('scaleControlPlane', between(random, 3 * minuteMs, endMs), cluster, random.next()),
    ];
    return {
      shape: random.next() < 0.5 ? 'embedded' : 'managers',
      actions: each(clusters, grow).flat(),
      faults: [fault('lateEvents', 0, endMs, 0, 1)],
    };
  },
  /** Whoever leads stands still for longer than its lease, again and again, with requests under way that take their time. */
  takeovers: ({ seed, clusters, minutes }) => {
    const random = chanceFor(seed, 'takeovers');
    const stops: Fault[] = [];
    for (let atMs = 20 * secondMs; atMs < minutes * minuteMs; atMs += between(random, 30, 50) * secondMs)
      stops.push(fault('stopManager', atMs, between(random, 16, 28) * secondMs, stops.length, 1));
    return {
      shape: 'managers',
      actions: each(clusters, (cluster) =>
        wish('create', between(random, 0, (minutes * minuteMs) / 2), cluster, random.next()),
      ),
      faults: [fault('network', 0, minutes * minuteMs, 0, 0.3 + 0.4 * random.next()), ...stops],
    };
  },
  /** A machine of a control plane of three is lost, and before anybody has replaced it a user deletes another one. */
  impatience: ({ seed, clusters, minutes }) => {
    const random = chanceFor(seed, 'impatience');
    const lostMs = (minutes * minuteMs) / 2;
    const history = (cluster: number): UserAction[] => [
      wish('create', between(random, 0, 30 * secondMs), cluster, three),
      wish('deleteMachine', lostMs + between(random, 70, 200) * secondMs, cluster, random.next()),
    ];
    return {
      shape: 'embedded',
      actions: each(clusters, history).flat(),
      faults: each(clusters, (cluster) => fault('machineFailure', lostMs, minuteMs, cluster, random.next())),
    };
  },
  /** Clusters move between two planes, of which either may die meanwhile, as whoever moves them may. */
  move: ({ seed, clusters, minutes }) => {
    const random = chanceFor(seed, 'move');
    const endMs = minutes * minuteMs;
    const at = (from: number, to: number): number => between(random, Math.round(from * endMs), Math.round(to * endMs));
    const history = (cluster: number): UserAction[] => [
      wish('create', at(0, 0.15), cluster, random.next()),
      wish('move', at(0.3, 0.6), cluster, 0),
      wish(random.next() < 0.5 ? 'scaleWorkers' : 'upgrade', at(0.5, 0.8), cluster, random.next()),
      wish('move', at(0.6, 1), cluster, 0),
    ];
    const crash = (kind: FaultKind) => (index: number) => fault(kind, at(0.25, 1), minuteMs, index, random.next());
    return {
      shape: 'embedded',
      planes: 2,
      actions: each(clusters, history).flat(),
      faults: [
        ...each(2, crash('crashServer')),
        ...each(4, crash('crashAtWrite')),
        ...each(2, crash('diskSlow')),
        ...each(4, crash('crashMover')),
      ],
    };
  },
} satisfies Record<string, (options: PlanOptions) => Scene>;

/** The usual history in another world. */
export const worlds: Readonly<Record<WorldName, Partial<Omit<Scene, 'actions' | 'faults'>>>> = {
  /** Clusters are topologies of classes. */
  classes: { classes: true },
  /** Machines are those of a Supervisor that is played. */
  vsphere: { provider: 'supervisor' },
  /** Machines are QEMU's, behind the port at which a host runs them. */
  kvm: { provider: 'kvm' },
  /** Three managers act, each on its share of the clusters. */
  shards: { shape: 'managers', shards: 6 },
};

type WorldName = 'classes' | 'vsphere' | 'kvm' | 'shards';

export function isWorld(name: ScenarioName): name is WorldName {
  return Object.hasOwn(worlds, name);
}

export type ScenarioName = keyof typeof scenarios | WorldName;

export const scenarioNames = [...Object.keys(scenarios), ...Object.keys(worlds)] as readonly ScenarioName[];

function each<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function wish(kind: UserAction['kind'], atMs: number, cluster: number, amount: number): UserAction {
  return { kind, atMs, cluster, amount };
}

function fault(kind: FaultKind, atMs: number, ms: number, cluster: number, force: number): Fault {
  return { kind, atMs, ms, cluster, force };
}
