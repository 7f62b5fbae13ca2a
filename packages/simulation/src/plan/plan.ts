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
  /** Argument of the action: the number of replicas or the index of the machine. */
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
  /** Duration in milliseconds. */
  readonly ms: number;
  readonly cluster: number;
  /** Strength from 0 to 1. */
  readonly force: number;
}

/** Everything that a seed determines in advance. Parts can be removed without affecting the rest. */
export interface Plan {
  readonly seed: number;
  readonly clusters: number;
  /** The number of clusters of any size with many events. The others have minimal size. */
  readonly large: number;
  /** One process with everything, or a server and two managers of which one leads. */
  readonly shape: 'embedded' | 'managers';
  readonly activeMs: number;
  /** Whether controllers resync periodically. Without resyncs every missed event is noticed. */
  readonly resync: boolean;
  /** Clusters have a managed topology. */
  readonly classes: boolean;
  /** The infrastructure provider. */
  readonly provider: ProviderName;
  /** Number of shards that the managers divide; 0 if one manager reconciles all clusters. */
  readonly shards: number;
  /** Number of management planes, between which clusters move. */
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

/** Settings that a scenario overrides. */
export type ScenarioPlan = Pick<Plan, 'shape' | 'actions' | 'faults'> &
  Partial<Pick<Plan, 'large' | 'classes' | 'provider' | 'shards' | 'planes'>>;

function scenarioPlan(options: PlanOptions): ScenarioPlan {
  const { scenario } = options;
  if (scenario === undefined) return everything(options);
  if (isVariant(scenario)) return { ...everything(options, variants[scenario].shape), ...variants[scenario] };
  return scenarios[scenario](options);
}

/** Large runs test concurrency between clusters. Their cost grows with the number of machines, so few clusters are large. */
const largeRun = { clustersMin: 5, large: 2 } as const;

/** The default run: all user actions, and every kind of fault. */
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

/** Actions of a user on a cluster between its creation and its deletion. */
interface ClusterLifecycle {
  readonly actionsMax: number;
  readonly actions: readonly UserActionKind[];
}

/** All actions of a user on one cluster. */
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
  /** Maximum number. */
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

/** Only control planes with several machines lose one. */
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
