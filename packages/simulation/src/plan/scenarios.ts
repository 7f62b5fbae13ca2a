import { between, randomFor } from '../random/random.js';
import type { Fault, FaultKind, PlanOptions, ScenarioPlan, UserAction } from './plan.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
/** Amount of a create action that selects a control plane of three machines. */
const three = 0.6;

/**
 * Scenarios that stress one mechanism each. The default run stresses all of them a little. Environment and invariants are the
 * same.
 */
export const scenarios = {
  /** Requests are lost, rejected or late until the end of the run. An operation that is not retried is never done. */
  refusals: ({ seed, clusters, minutes }) => {
    const random = randomFor(seed, 'refusals');
    const create = (cluster: number): UserAction =>
      userAction('create', between(random, 0, 2 * minuteMs), cluster, random.next());
    const endMs = minutes * minuteMs;
    return {
      shape: 'embedded',
      actions: each(clusters, create),
      faults: [fault('network', 5 * secondMs, endMs, 0, 0.7 + 0.3 * random.next())],
    };
  },
  /** Watch events are always late, so that caches are stale. No other faults. */
  lag: ({ seed, clusters, minutes }) => {
    const random = randomFor(seed, 'lag');
    const endMs = minutes * minuteMs;
    const grow = (cluster: number): UserAction[] => [
      userAction('create', between(random, 0, minuteMs), cluster, random.next()),
      ...[1, 2, 3].map(() => userAction('scaleWorkers', between(random, 3 * minuteMs, endMs), cluster, random.next())),
      userAction('scaleControlPlane', between(random, 3 * minuteMs, endMs), cluster, random.next()),
    ];
    return {
      shape: random.next() < 0.5 ? 'embedded' : 'managers',
      actions: each(clusters, grow).flat(),
      faults: [fault('lateEvents', 0, endMs, 0, 1)],
    };
  },
  /** The leader is repeatedly stopped for longer than its lease while slow requests are in flight. */
  takeovers: ({ seed, clusters, minutes }) => {
    const random = randomFor(seed, 'takeovers');
    const stops: Fault[] = [];
    for (let atMs = 20 * secondMs; atMs < minutes * minuteMs; atMs += between(random, 30, 50) * secondMs)
      stops.push(fault('stopManager', atMs, between(random, 16, 28) * secondMs, stops.length, 1));
    return {
      shape: 'managers',
      actions: each(clusters, (cluster) =>
        userAction('create', between(random, 0, (minutes * minuteMs) / 2), cluster, random.next()),
      ),
      faults: [fault('network', 0, minutes * minuteMs, 0, 0.3 + 0.4 * random.next()), ...stops],
    };
  },
  /** A control plane of three loses a machine, and a user deletes a second one before the first is replaced. */
  impatience: ({ seed, clusters, minutes }) => {
    const random = randomFor(seed, 'impatience');
    const lostMs = (minutes * minuteMs) / 2;
    const history = (cluster: number): UserAction[] => [
      userAction('create', between(random, 0, 30 * secondMs), cluster, three),
      userAction('deleteMachine', lostMs + between(random, 70, 200) * secondMs, cluster, random.next()),
    ];
    return {
      shape: 'embedded',
      actions: each(clusters, history).flat(),
      faults: each(clusters, (cluster) => fault('machineFailure', lostMs, minuteMs, cluster, random.next())),
    };
  },
  /** Clusters move between two planes while either plane or the move command may crash. */
  move: ({ seed, clusters, minutes }) => {
    const random = randomFor(seed, 'move');
    const endMs = minutes * minuteMs;
    const at = (from: number, to: number): number => between(random, Math.round(from * endMs), Math.round(to * endMs));
    const history = (cluster: number): UserAction[] => [
      userAction('create', at(0, 0.15), cluster, random.next()),
      userAction('move', at(0.3, 0.6), cluster, 0),
      userAction(random.next() < 0.5 ? 'scaleWorkers' : 'upgrade', at(0.5, 0.8), cluster, random.next()),
      userAction('move', at(0.6, 1), cluster, 0),
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
} satisfies Record<string, (options: PlanOptions) => ScenarioPlan>;

/** Environments that differ from the default. Users and faults are the same as in the default run. */
export const variants: Readonly<Record<VariantName, Partial<Omit<ScenarioPlan, 'actions' | 'faults'>>>> = {
  /** Clusters have a managed topology. */
  classes: { classes: true },
  /** Machines run on a simulated vSphere Supervisor. */
  vsphere: { provider: 'supervisor' },
  /** Machines are QEMU virtual machines, simulated behind the port that starts processes. */
  kvm: { provider: 'kvm' },
  /** Three managers divide the clusters. */
  shards: { shape: 'managers', shards: 6 },
};

type VariantName = 'classes' | 'vsphere' | 'kvm' | 'shards';

export function isVariant(name: ScenarioName): name is VariantName {
  return Object.hasOwn(variants, name);
}

export type ScenarioName = keyof typeof scenarios | VariantName;

export const scenarioNames = [...Object.keys(scenarios), ...Object.keys(variants)] as readonly ScenarioName[];

function each<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function userAction(kind: UserAction['kind'], atMs: number, cluster: number, amount: number): UserAction {
  return { kind, atMs, cluster, amount };
}

function fault(kind: FaultKind, atMs: number, ms: number, cluster: number, force: number): Fault {
  return { kind, atMs, ms, cluster, force };
}
