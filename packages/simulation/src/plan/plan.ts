import type { Random } from '@slipway/base';
import { between, randomFor, pick } from '../random/random.js';
import type { ProviderName } from '../providers/provider.js';
import { isVariant, type ScenarioName, scenarios, variants } from './scenarios.js';

type UserActionKind =
  | 'create'
  | 'scaleControlPlane'
  | 'scaleWorkers'
  | 'upgrade'
  | 'changeTemplate'
  | 'pause'
  | 'resume'
  | 'deleteMachine'
  | 'move'
  | 'deleteCluster';

export interface UserAction {
  readonly kind: UserActionKind;
  readonly atMs: number;
  readonly cluster: number;
  /** A number in [0, 1) that selects the replica count or the Machine from the possible ones. */
  readonly amount: number;
}

export type FaultKind =
  | 'crashServer'
  | 'crashAtWrite'
  | 'crashManager'
  | 'stopManager'
  | 'network'
  | 'diskFailure'
  | 'diskSlow'
  | 'infrastructureFailure'
  | 'infrastructureSlow'
  | 'unreachable'
  | 'machineFailure'
  | 'crashMover'
  | 'clockJump'
  | 'lateEvents';

export interface Fault {
  readonly kind: FaultKind;
  readonly atMs: number;
  /** Duration of the fault in milliseconds. */
  readonly ms: number;
  readonly cluster: number;
  /** Strength of the fault, from 0 to 1. */
  readonly force: number;
}

/** Everything that a seed determines in advance. Each action and fault can be removed without affecting the others. */
export interface Plan {
  readonly seed: number;
  readonly clusters: number;
  /** The number of large clusters, which can have any size and get many actions. All other clusters have minimal size. */
  readonly large: number;
  /** `embedded`: server and controllers in one process. `managers`: a server, and managers in separate processes. */
  readonly shape: 'embedded' | 'managers';
  readonly activeMs: number;
  /** Whether controllers resync periodically. Without resyncs, a missed event is never repaired, so that the run fails. */
  readonly resync: boolean;
  /** Whether clusters have a managed topology. */
  readonly classes: boolean;
  /** The infrastructure provider. */
  readonly provider: ProviderName;
  /** Number of shards that the managers divide; 0 if one manager reconciles all clusters. */
  readonly shards: number;
  /** Number of management planes. Clusters move between them. */
  readonly planes: number;
  readonly actions: readonly UserAction[];
  readonly faults: readonly Fault[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly clusters: number;
  readonly minutes: number;
  readonly resync?: boolean;
  /** Stresses one mechanism instead of running the default mix of faults. */
  readonly scenario?: ScenarioName | undefined;
}

const minuteMs = 60_000;

export function makePlan(options: PlanOptions): Plan {
  const { seed, clusters, minutes, resync = true } = options;
  const { actions, faults, ...environment } = scenarioPlan(options);
  return {
    seed,
    clusters,
    large: clusters,
    activeMs: minutes * minuteMs,
    resync,
    classes: false,
    provider: 'dev',
    shards: 0,
    planes: 1,
    ...environment,
    actions: inOrder(actions),
    faults: inOrder(faults),
  };
}

/** The parts of a plan that a scenario defines. */
export type ScenarioPlan = Pick<Plan, 'shape' | 'actions' | 'faults'> &
  Partial<Pick<Plan, 'large' | 'classes' | 'provider' | 'shards' | 'planes'>>;

function scenarioPlan(options: PlanOptions): ScenarioPlan {
  const { scenario } = options;
  if (scenario === undefined) return everything(options);
  if (isVariant(scenario)) return { ...everything(options, variants[scenario].shape), ...variants[scenario] };
  return scenarios[scenario](options);
}

/**
 * Runs with many clusters test concurrency between clusters. The cost of a run grows with the number of machines, so only a few
 * clusters are large.
 */
const largeRun = { clustersMin: 5, large: 2 } as const;

/** Returns the default run, with all user actions and every kind of fault. */
function everything({ seed, clusters, minutes }: PlanOptions, given?: Plan['shape']): ScenarioPlan {
  const shape = given ?? (randomFor(seed, 'shape').next() < 0.5 ? 'embedded' : 'managers');
  const activeMs = minutes * minuteMs;
  const large = clusters < largeRun.clustersMin ? clusters : largeRun.large;
  const actions = Array.from({ length: clusters }, (_, cluster) =>
    actionsOf(seed, cluster, activeMs, cluster < large ? defaultLifecycle : minimalLifecycle),
  ).flat();
  const faults = faultsOf(randomFor(seed, 'faults'), clusters, activeMs, shape);
  return { shape, large, actions, faults: faults.map((fault) => atLargeCluster(fault, large)) };
}

function inOrder<T extends { readonly atMs: number }>(events: readonly T[]): T[] {
  return [...events].sort((left, right) => left.atMs - right.atMs);
}

/** Limits of the user actions between the creation of a cluster and its deletion. */
interface ClusterLifecycle {
  readonly actionsMax: number;
  readonly actions: readonly UserActionKind[];
}

/** Returns all user actions on one cluster. */
function actionsOf(seed: number, cluster: number, activeMs: number, lifecycle: ClusterLifecycle): UserAction[] {
  const random = randomFor(seed, `cluster ${cluster}`);
  const begin = between(random, 0, activeMs / 3);
  const actions: UserAction[] = [{ kind: 'create', atMs: begin, cluster, amount: random.next() }];
  const count = between(random, 0, lifecycle.actionsMax);
  for (let index = 0; index < count; index += 1) {
    const atMs = between(random, begin + minuteMs, activeMs);
    const kind = pick(random, lifecycle.actions);
    actions.push({ kind, atMs, cluster, amount: random.next() });
    if (kind === 'pause')
      actions.push({ kind: 'resume', atMs: atMs + between(random, 1, 10) * minuteMs, cluster, amount: 0 });
  }
  if (random.next() < 0.2)
    actions.push({ kind: 'deleteCluster', atMs: between(random, begin, activeMs), cluster, amount: 0 });
  return actions;
}

const defaultLifecycle: ClusterLifecycle = {
  actionsMax: 3,
  actions: ['scaleControlPlane', 'scaleWorkers', 'scaleWorkers', 'upgrade', 'changeTemplate', 'pause', 'deleteMachine'],
};

const minimalLifecycle: ClusterLifecycle = {
  actionsMax: 1,
  actions: ['scaleControlPlane', 'scaleWorkers', 'upgrade', 'changeTemplate', 'pause', 'deleteMachine'],
};

interface FaultRule {
  readonly kind: FaultKind;
  /** Maximum number of faults of this kind in a run. */
  readonly most: number;
  readonly minutesMax: number;
  readonly shape?: Plan['shape'];
}

const faultRules: readonly FaultRule[] = [
  { kind: 'crashServer', most: 2, minutesMax: 1 },
  { kind: 'crashAtWrite', most: 2, minutesMax: 1 },
  { kind: 'crashManager', most: 2, minutesMax: 1, shape: 'managers' },
  { kind: 'stopManager', most: 3, minutesMax: 2, shape: 'managers' },
  { kind: 'network', most: 4, minutesMax: 8 },
  { kind: 'diskFailure', most: 2, minutesMax: 2 },
  { kind: 'diskSlow', most: 2, minutesMax: 5 },
  { kind: 'infrastructureFailure', most: 2, minutesMax: 5 },
  { kind: 'infrastructureSlow', most: 2, minutesMax: 5 },
  { kind: 'unreachable', most: 6, minutesMax: 12 },
  { kind: 'machineFailure', most: 5, minutesMax: 1 },
  { kind: 'clockJump', most: 2, minutesMax: 1 },
  { kind: 'lateEvents', most: 3, minutesMax: 10 },
];

/** Lets machines fail only in large clusters, because only their control planes have several machines. */
function atLargeCluster(fault: Fault, large: number): Fault {
  return fault.kind === 'machineFailure' ? { ...fault, cluster: fault.cluster % large } : fault;
}

function faultsOf(random: Random, clusters: number, activeMs: number, shape: Plan['shape']): Fault[] {
  const faults: Fault[] = [];
  for (const rule of faultRules) {
    const count = between(random, 0, rule.most);
    for (let index = 0; index < count; index += 1) {
      const fault = {
        kind: rule.kind,
        atMs: between(random, 0, activeMs),
        ms: between(random, 5_000, rule.minutesMax * minuteMs),
        cluster: between(random, 0, clusters - 1),
        force: random.next(),
      };
      if (rule.shape === undefined || rule.shape === shape) faults.push(fault);
    }
  }
  return faults;
}
