import type { ObjectStore, StoreEvent } from '@slipway/apiserver';
import { generatePrivateKey, type KeySource, Scope, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { clusterApiControllers, clusterClasses, featureGateDefaults } from '@slipway/cluster-api';
import { createDev } from '@slipway/dev';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmControllers } from '@slipway/kubeadm';
import { startEmbeddedControllers } from '@slipway/plane';
import { ChangeFeed, type ChangeRecord, type Client, type ControllerSet, selectControllers } from '@slipway/runtime';
import { Activity } from './activity.js';
import { type Fork, openFork } from './fork.js';
import { type Settled, settle, type SettleLimits, type SettleOptions } from './settle.js';
import { simulatedConnection } from './simulated-connection.js';
import { standInFor } from './stand-in/stand-in.js';
import type { ManagementState } from './state.js';
import { isUnderWay } from './unsettled.js';

export interface WhatIfOptions {
  readonly state: ManagementState;
  /** What is to be done. It sees the fork only. */
  readonly change: (client: Client) => Promise<void>;
  /** The time at which it is done. */
  readonly nowMs: number;
  /** As `--feature-gates` has them. */
  readonly featureGates?: string;
  readonly limits?: Partial<SettleLimits>;
  readonly signal?: AbortSignal;
}

/** One change of a stored object. */
export interface ObjectEvent {
  /** Since the change was made; below 0 for what was under way before. */
  readonly atMs: number;
  readonly resource: string;
  readonly before: Frozen<KubeObject> | undefined;
  readonly after: Frozen<KubeObject> | undefined;
}

export interface WhatIf {
  readonly events: readonly ObjectEvent[];
  /** Every change that the controllers made, in order. */
  readonly changes: readonly ChangeRecord[];
  readonly settled: Settled;
  /** All objects of Cluster API as they are in the end. */
  readonly objects: readonly Frozen<KubeObject>[];
}

const limitsDefault: SettleLimits = { quietMs: 15 * 60_000, horizonMs: 4 * 3_600_000, patienceMs: 60_000 };
/** Long enough for machines that are there to be found, and for the connections to their clusters. */
const warmUp: Partial<SettleLimits> = { quietMs: 2_000, horizonMs: 30_000 };

/** Nothing here is a secret: the keys live as long as the fork. Those of elliptic curves cost a millisecond. */
const keys: KeySource = { next: () => generatePrivateKey('ECDSA') };

/** Goes on with a management cluster in memory and in simulated time, as it would with the change. Touches nothing else. */
export async function whatIf(options: WhatIfOptions): Promise<WhatIf> {
  const clock = new VirtualClock(options.nowMs);
  // Always the same: who asks twice gets the same answer.
  const random = seededRandom(1);
  const world = { clock, random, keys };
  const scope = new Scope();
  try {
    const dev = createDev({ ...world, network: 'none' });
    scope.add(dev);
    const sets = [clusterApiControllers, kubeadmControllers];
    const choices = { featureGates: gatesOf(options) };
    const gates = {
      ...featureGateDefaults,
      ...Object.fromEntries(selectControllers(sets, choices).featureGates.entries()),
    };
    const fork = await openFork(options.state, gates, world);
    scope.add(fork);
    const activity = new Activity();
    const feed = new ChangeFeed({ recentMax: 0 });
    const connect = simulatedConnection(dev);
    const start = async (started: readonly ControllerSet[]): Promise<void> => {
      const { server } = fork;
      const embedded = {
        server,
        sets: activity.watch(started),
        ...world,
        logger: silentLogger,
        connect,
        changes: feed,
      };
      scope.add(
        await passing(clock, startEmbeddedControllers({ ...embedded, choices: started === sets ? choices : {} })),
      );
    };
    const infrastructure = [dev.controllers, standInFor(fork.foreign, dev.guests)];
    return await run(options, { clock, fork, activity, feed, start, infrastructure, controllers: sets });
  } finally {
    await scope.dispose();
  }
}

/** Where there are classes, topologies are on. What the user says comes last, and counts. */
function gatesOf({ state, featureGates = '' }: WhatIfOptions): string {
  const hasClasses = state.objects.some(({ resource }) => resource.kind === clusterClasses.kind);
  return [...(hasClasses ? [topologyGate] : []), featureGates].filter((text) => text !== '').join(',');
}

/** What a manifest with classes needs. */
export const topologyGate = 'ClusterTopology=true';

interface Stage {
  readonly clock: VirtualClock;
  readonly fork: Fork;
  readonly activity: Activity;
  readonly feed: ChangeFeed;
  readonly start: (sets: readonly ControllerSet[]) => Promise<void>;
  readonly infrastructure: readonly ControllerSet[];
  readonly controllers: readonly ControllerSet[];
}

async function run(options: WhatIfOptions, stage: Stage): Promise<WhatIf> {
  const { clock, fork, activity, feed } = stage;
  const { store } = fork;
  const resources = servedResources(fork);
  const settleFor = (limits: Partial<SettleLimits>, isPending: () => boolean): Promise<Settled> => {
    const base: SettleOptions = {
      clock,
      activity,
      revision: () => store.revision,
      isPending,
      limits: { ...limitsDefault, ...options.limits, ...limits },
    };
    return settle(options.signal === undefined ? base : { ...base, signal: options.signal });
  };
  // First what stands for the machines that are there, so that no controller finds a cluster without any.
  await stage.start(stage.infrastructure);
  await settleFor(warmUp, () => false);
  const events: ObjectEvent[] = [];
  const changes: ChangeRecord[] = [];
  const subscription = feed.subscribe((record) => void changes.push(record));
  let changedAt = Number.POSITIVE_INFINITY;
  const watch = watchAll(store, resources, (event) => {
    const { type, current, previous } = event;
    const after = type === 'DELETED' ? undefined : current.object;
    events.push({ atMs: clock.now() - changedAt, resource: current.key.resource, before: previous?.object, after });
  });
  await stage.start(stage.controllers);
  await settleFor(warmUp, () => false);
  changedAt = clock.now();
  await passing(clock, options.change(fork.client));
  const settled = await settleFor({}, () => isUnderWay(everyObject(store, resources)));
  watch();
  await subscription.dispose();
  return { events, changes, settled, objects: everyObject(store, resources) };
}

function servedResources({ server }: Fork): readonly string[] {
  return server.registry
    .definitions()
    .filter(({ group }) => group.includes('.x-k8s.io') || group.includes('cluster'))
    .map(({ group, plural }) => `${group}/${plural}`);
}

function watchAll(store: ObjectStore, resources: readonly string[], listener: (event: StoreEvent) => void): () => void {
  const watches = resources.map((resource) => store.watch({ resource }, store.revision, listener));
  return () => {
    for (const watch of watches) watch.dispose();
  };
}

function everyObject(store: ObjectStore, resources: readonly string[]): Frozen<KubeObject>[] {
  return resources.flatMap((resource) => store.list({ resource }).map(({ object }) => object));
}

const passMs = 10;

/** What takes time needs a clock that moves. */
async function passing<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  // Whoever waits for `ended` sees its failure; this loop only moves the clock.
  ended.catch(() => undefined);
  while (!isDone) await clock.advance(passMs);
  return ended;
}
