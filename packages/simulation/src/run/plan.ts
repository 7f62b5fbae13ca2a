import type { Random } from '@slipway/base';
import { between, chanceFor, pick } from '../faults/chance.js';
import type { ProviderName } from '../providers/provider.js';
import { isWorld, type ScenarioName, scenarios, worlds } from './scenarios.js';

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
  /** What the action is about, where it needs to say: how many replicas, which machine. */
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
  /** How long it lasts. */
  readonly ms: number;
  readonly cluster: number;
  /** How bad it is, from 0 to 1. */
  readonly force: number;
}

/** All that a seed decides beforehand. Parts of it can be left out and the rest stays as it is. */
export interface Plan {
  readonly seed: number;
  readonly clusters: number;
  /** The first so many clusters are of any size, and much happens to them; the others are as small as clusters get. */
  readonly large: number;
  /** Everything in one process, or a server and two managers of which one leads. */
  readonly shape: 'embedded' | 'managers';
  readonly activeMs: number;
  /** Whether controllers look at everything now and then although nothing changed: without, every missed event shows. */
  readonly resync: boolean;
  /** Clusters are written as topologies of classes. */
  readonly classes: boolean;
  /** What machines are made of. */
  readonly provider: ProviderName;
  /** Into how many shards the clusters fall, of which each manager has some; 0 when one manager acts on all. */
  readonly shards: number;
  /** How many management planes there are, between which clusters move. */
  readonly planes: number;
  readonly actions: readonly UserAction[];
  readonly faults: readonly Fault[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly clusters: number;
  readonly minutes: number;
  readonly resync?: boolean;
  /** One mechanism under pressure instead of a little of everything. */
  readonly scenario?: ScenarioName | undefined;
}

const minuteMs = 60_000;

export function makePlan(options: PlanOptions): Plan {
  const { seed, clusters, minutes, resync = true } = options;
  const { actions, faults, ...world } = sceneOf(options);
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
    ...world,
    actions: inOrder(actions),
    faults: inOrder(faults),
  };
}

/** What a scenario decides. */
export type Scene = Pick<Plan, 'shape' | 'actions' | 'faults'> &
  Partial<Pick<Plan, 'large' | 'classes' | 'provider' | 'shards' | 'planes'>>;

function sceneOf(options: PlanOptions): Scene {
  const { scenario } = options;
  if (scenario === undefined) return everything(options);
  if (isWorld(scenario)) return { ...everything(options, worlds[scenario].shape), ...worlds[scenario] };
  return scenarios[scenario](options);
}

/** A crowd is there to find what many clusters at a time find, and costs what its machines cost: few of it are large. */
const crowd = { clustersMin: 5, large: 2 } as const;

/** The usual run: everybody does something, and every fault may come. */
function everything({ seed, clusters, minutes }: PlanOptions, given?: Plan['shape']): Scene {
  const shape = given ?? (chanceFor(seed, 'shape').next() < 0.5 ? 'embedded' : 'managers');
  const activeMs = minutes * minuteMs;
  const large = clusters < crowd.clustersMin ? clusters : crowd.large;
  const actions = Array.from({ length: clusters }, (_, cluster) =>
    actionsOf(seed, cluster, activeMs, cluster < large ? usualLife : smallLife),
  ).flat();
  const faults = faultsOf(chanceFor(seed, 'faults'), clusters, activeMs, shape);
  return { shape, large, actions, faults: faults.map((fault) => atLargeCluster(fault, large)) };
}

function inOrder<T extends { readonly atMs: number }>(events: readonly T[]): T[] {
  return [...events].sort((left, right) => left.atMs - right.atMs);
}

/** What a user may do to a cluster between its creation and its end. */
interface Life {
  readonly actionsMax: number;
  readonly actions: readonly UserActionKind[];
}

/** The life of one cluster in the hands of its user. */
function actionsOf(seed: number, cluster: number, activeMs: number, life: Life): UserAction[] {
  const random = chanceFor(seed, `cluster ${cluster}`);
  const begin = between(random, 0, activeMs / 3);
  const actions: UserAction[] = [{ kind: 'create', atMs: begin, cluster, amount: random.next() }];
  const count = between(random, 0, life.actionsMax);
  for (let index = 0; index < count; index += 1) {
    const atMs = between(random, begin + minuteMs, activeMs);
    const kind = pick(random, life.actions);
    actions.push({ kind, atMs, cluster, amount: random.next() });
    if (kind === 'pause')
      actions.push({ kind: 'resume', atMs: atMs + between(random, 1, 10) * minuteMs, cluster, amount: 0 });
  }
  if (random.next() < 0.2)
    actions.push({ kind: 'deleteCluster', atMs: between(random, begin, activeMs), cluster, amount: 0 });
  return actions;
}

const usualLife: Life = {
  actionsMax: 3,
  actions: ['scaleControlPlane', 'scaleWorkers', 'scaleWorkers', 'upgrade', 'changeTemplate', 'pause', 'deleteMachine'],
};

const smallLife: Life = {
  actionsMax: 1,
  actions: ['scaleControlPlane', 'scaleWorkers', 'upgrade', 'changeTemplate', 'pause', 'deleteMachine'],
};

interface FaultRule {
  readonly kind: FaultKind;
  /** How many there are at most. */
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

/** A small cluster has hardly a machine that could be lost: what is lost is one of a control plane of several. */
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
