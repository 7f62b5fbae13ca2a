import type { Tracer } from '@opentelemetry/api';
import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import type { ChangeFeed } from '../change/index.js';
import type { Client, ObjectKey, Resource } from '../client/index.js';
import type { EventRecorder } from '../change/index.js';
import type { BackOffOptions } from '../queue/index.js';
import type { Outcome } from './outcome.js';
import type { ControllerMetrics } from '../diagnostics/controller-metrics.js';
import type { Gate } from './gate.js';
import type { Predicate } from './predicates.js';
import type { ReconcileContext } from './reconcile-context.js';
import { RunningController } from './running-controller.js';
import type { Sources } from './source.js';
import { mapToController, mapToSelf, type Watch } from './watch.js';

/**
 * Enqueues keys for reasons other than object changes, for example because a workload cluster was connected or a machine has
 * booted.
 */
export type Trigger = (enqueue: (key: ObjectKey) => void) => Disposable;

export interface ControllerOptions<T extends KubeObject> {
  /** Name of the controller in logs and metrics. */
  readonly name: string;
  /** The resource whose objects the controller reconciles. */
  readonly for: Resource<T>;
  /** Filters events of `for`. All events pass by default. */
  readonly filter?: Predicate<T>;
  /** Resources whose objects are owned by the reconciled objects. A change enqueues the controller owner. */
  readonly owns?: readonly Resource[];
  readonly watches?: readonly Watch[];
  readonly triggers?: readonly Trigger[];
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly backOff?: Partial<BackOffOptions>;
  readonly queueDepthMax?: number;
  /** Observes the state and moves it towards the desired state. An exception causes a retry. */
  readonly reconcile: (key: ObjectKey, context: ReconcileContext) => Promise<Outcome>;
}

export interface ControllerEnvironment {
  readonly client: Client;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventRecorder;
  /** The feed to which the changes of reconciles are published. */
  readonly changes: ChangeFeed;
  /** Dry run: nothing is written and no external call is made. The feed shows the intended changes. */
  readonly dryRun?: boolean;
  readonly gate: Gate;
  readonly metrics: (name: string, concurrency: number) => ControllerMetrics;
  readonly tracer?: Tracer;
}

/** A controller: the resources that it watches, and its reconcile function. */
export interface Controller {
  readonly name: string;
  readonly resource: Resource;
  readonly watches: readonly Watch[];
  /** Starts watches and workers. The caller must have synced the sources. */
  start(environment: ControllerEnvironment): RunningController;
}

/** Controller options with the object type erased. */
export interface ControllerPlan {
  readonly name: string;
  readonly resource: Resource;
  readonly watches: readonly Watch[];
  readonly triggers: readonly Trigger[];
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly backOff: Partial<BackOffOptions>;
  readonly queueDepthMax: number;
  readonly reconcile: (key: ObjectKey, context: ReconcileContext) => Promise<Outcome>;
}

const timeoutMsDefault = 60_000;
const queueDepthMaxDefault = 100_000;

export function createController<T extends KubeObject>(options: ControllerOptions<T>): Controller {
  const resource: Resource = options.for;
  const own: Watch = {
    resource,
    map: mapToSelf,
    ...(options.filter && { filter: options.filter as unknown as Predicate }),
  };
  const owned = (options.owns ?? []).map((each): Watch => ({ resource: each, map: mapToController(resource) }));
  const watches = [own, ...owned, ...(options.watches ?? [])];
  const plan: ControllerPlan = {
    name: options.name,
    resource,
    watches,
    triggers: options.triggers ?? [],
    concurrency: options.concurrency ?? 1,
    timeoutMs: options.timeoutMs ?? timeoutMsDefault,
    backOff: options.backOff ?? {},
    queueDepthMax: options.queueDepthMax ?? queueDepthMaxDefault,
    reconcile: options.reconcile,
  };
  return {
    name: options.name,
    resource,
    watches,
    start: (environment) => new RunningController(plan, environment),
  };
}
