import { Scope, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import {
  type AssumedHook,
  createClusterApiControllers,
  createPlanningTransport,
  type ExtensionConfig,
  extensionConfigs,
  type ExtensionTransport,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { createDev } from '@slipway/dev';
import type { Frozen } from '@slipway/kube';
import { kubeadmControllers } from '@slipway/kubeadm';
import { generatePrivateKey, type KeySource } from '@slipway/pki';
import { startEmbeddedControllers } from '@slipway/plane';
import { ChangeFeed, type Client, type ControllerSet, selectControllers } from '@slipway/runtime';
import { Activity } from './activity.js';
import { choicesOf } from './controller-choices.js';
import { type Fork, openFork } from './fork.js';
import { whileAdvancing, type Recorded, Recording } from './recording.js';
import { type Settled, settle, type SettleLimits, type SettleOptions } from './settle.js';
import { simulatedConnection } from './simulated-connection.js';
import { simulatedProviders } from './foreign-providers/foreign-provider-controllers.js';
import type { ManagementState } from './state.js';
import { isInProgress } from './unsettled.js';

export interface WhatIfOptions {
  readonly state: ManagementState;
  /** Makes the change to simulate. The client writes to the fork only. */
  readonly change: (client: Client) => Promise<void>;
  /** The time at which the change is made. */
  readonly nowMs: number;
  /** The value of `--feature-gates`. */
  readonly featureGates?: string;
  readonly limits?: Partial<SettleLimits>;
  readonly onProgress?: (progress: PlanProgress) => void;
  readonly signal?: AbortSignal;
}

/** The current step of a plan. */
export type PlanProgress =
  | { readonly phase: 'reading' }
  | { readonly phase: 'simulating'; readonly simulatedMs: number; readonly changes: number };

export interface WhatIf extends Recorded {
  readonly settled: Settled;
  /** Hooks of runtime extensions with an assumed response: the extensions were not called. */
  readonly assumedHooks: readonly AssumedHook[];
}

/** Default limits of a simulation. */
const limitsDefault: SettleLimits = { quietMs: 15 * 60_000, horizonMs: 4 * 3_600_000, timeoutMs: 60_000 };
/** Limits of the warm-up, in which controllers find the existing machines and connect to their clusters. */
const warmUp: Partial<SettleLimits> = { quietMs: 2_000, horizonMs: 30_000 };

/** Elliptic curve keys take a millisecond to generate. They are not secret: they exist only as long as the fork. */
const keys: KeySource = { next: () => generatePrivateKey('ECDSA') };

/** Simulates the effects of a change on a management cluster, in memory and in simulated time. Changes nothing else. */
export async function whatIf(options: WhatIfOptions): Promise<WhatIf> {
  const clock = new VirtualClock(options.nowMs);
  // A fixed seed makes the simulation deterministic.
  const random = seededRandom(1);
  const dependencies = { clock, random, keys };
  const scope = new Scope();
  try {
    const dev = createDev({ ...dependencies, network: 'none' });
    scope.add(dev);
    const activity = new Activity();
    const hooks = planningHooks(options.state, activity);
    const sets = [createClusterApiControllers(hooks.transport), kubeadmControllers].map(simulated);
    const choices = choicesOf(options, sets);
    const gates = {
      ...featureGateDefaults,
      ...Object.fromEntries(selectControllers(sets, choices).featureGates.entries()),
    };
    const fork = await openFork(options.state, gates, dependencies);
    scope.add(fork);
    const feed = new ChangeFeed({ recentMax: 0 });
    const connect = simulatedConnection(dev);
    const start = async (started: readonly ControllerSet[]): Promise<void> => {
      const { server } = fork;
      const embedded = {
        server,
        sets: activity.watch(started),
        ...dependencies,
        logger: silentLogger,
        connect,
        changes: feed,
      };
      scope.add(
        await whileAdvancing(
          clock,
          activity,
          startEmbeddedControllers({ ...embedded, choices: started === sets ? choices : {} }),
        ),
      );
    };
    const infrastructure = [dev.controllers, simulatedProviders(fork.foreign, dev.guests)];
    const found = await run(options, { clock, fork, activity, feed, start, infrastructure, controllers: sets });
    return { ...found, assumedHooks: hooks.assumed() };
  } finally {
    await scope.dispose();
  }
}

interface PlanningHooks {
  readonly transport: ExtensionTransport;
  readonly assumed: () => readonly AssumedHook[];
}

/**
 * Returns a transport that calls the hooks without side effects, which takes real time, and assumes that all other hooks do not
 * block.
 */
function planningHooks({ objects }: ManagementState, activity: Activity): PlanningHooks {
  const assumed = new Map<string, AssumedHook>();
  const extensions = objects
    .filter(({ resource }) => resource.kind === extensionConfigs.kind && resource.group === extensionConfigs.group)
    .map(({ object }) => object as Frozen<ExtensionConfig>);
  const transport = createPlanningTransport({
    extensions,
    onAssumed: (hook) => void assumed.set(`${hook.hook} ${hook.handler} ${hook.subject}`, hook),
  });
  return { transport: (call) => activity.external(() => transport(call)), assumed: () => [...assumed.values()] };
}

/**
 * Controllers that are not simulated: the handlers of extensions are those that the management cluster has discovered, and the
 * objects of the fork do not need storage version migration.
 */
const otherControllers = /^extensionconfig$|crdmigrator/;

function simulated(set: ControllerSet): ControllerSet {
  return { ...set, controllers: set.controllers.filter(({ name }) => !otherControllers.test(name)) };
}

interface Simulation {
  readonly clock: VirtualClock;
  readonly fork: Fork;
  readonly activity: Activity;
  readonly feed: ChangeFeed;
  readonly start: (sets: readonly ControllerSet[]) => Promise<void>;
  readonly infrastructure: readonly ControllerSet[];
  readonly controllers: readonly ControllerSet[];
}

async function run(options: WhatIfOptions, simulation: Simulation): Promise<Omit<WhatIf, 'assumedHooks'>> {
  const { clock, fork, activity, feed } = simulation;
  const { store, server } = fork;
  const recording = new Recording({ store, registry: server.registry }, clock);
  const settleFor = (limits: Partial<SettleLimits>, isPending: () => boolean): Promise<Settled> => {
    const base: SettleOptions = {
      clock,
      activity,
      revision: () => store.revision,
      progress: () => recording.progress,
      isPending,
      limits: { ...limitsDefault, ...options.limits, ...limits },
      onProgress: (simulatedMs) =>
        options.onProgress?.({ phase: 'simulating', simulatedMs, changes: recording.changeCount }),
    };
    return settle(options.signal === undefined ? base : { ...base, signal: options.signal });
  };
  // Simulate the existing machines first, so that no controller sees a cluster without machines.
  await simulation.start(simulation.infrastructure);
  await settleFor(warmUp, () => false);
  recording.start(feed);
  await simulation.start(simulation.controllers);
  await settleFor(warmUp, () => false);
  recording.markChange();
  await whileAdvancing(clock, activity, options.change(fork.client));
  const settled = await settleFor({}, () => isInProgress(recording.objects()));
  return { ...(await recording.stop()), settled };
}
