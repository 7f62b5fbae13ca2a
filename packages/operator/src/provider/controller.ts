import { deepEqual } from '@slipway/kube';
import {
  annotationsChanged,
  anyOf,
  type Controller,
  type ControllerContext,
  createController,
  generationChanged,
  type Predicate,
  type Resource,
} from '@slipway/runtime';
import type { ProviderObject } from '../api/index.js';
import type { ObjectFollower } from './object-follower.js';
import type { OperatorWorld } from './operator-world.js';
import { providerMetrics } from './provider-metrics.js';
import { phasesTimeoutMs, reconcileProvider } from './reconcile.js';
import { dependantWatches, wakeByReference } from './wake.js';

export interface ProviderControllerOptions {
  readonly resource: Resource<ProviderObject>;
  readonly context: ControllerContext;
  readonly world: OperatorWorld;
  readonly follower: ObjectFollower;
}

/** Phases end before that by themselves, and say that they took too long. */
const timeoutMs = phasesTimeoutMs + 60_000;

/** Its own words in the status are no news to it. */
const matters: Predicate<ProviderObject> = anyOf<ProviderObject>(
  ({ isInitial }) => isInitial,
  generationChanged,
  annotationsChanged,
  ({ object, previous }) => !deepEqual(object.metadata.finalizers, previous?.metadata.finalizers),
);

/** Installs and keeps the providers of one kind. */
export function createProviderController(options: ProviderControllerOptions): Controller {
  const { resource, context, follower } = options;
  const { concurrency, watchFilter, sources } = context;
  const world = { ...options.world, observePhase: providerMetrics(context) };
  return createController<ProviderObject>({
    name: providerControllerName(resource),
    for: resource,
    filter: (change) => watchFilter(change) && matters(change),
    concurrency,
    timeoutMs,
    watches: dependantWatches(resource, sources),
    triggers: [(enqueue) => follower.follow(context, wakeByReference(resource, sources, enqueue))],
    reconcile: (key, reconcileContext) => reconcileProvider(resource, key, reconcileContext, world),
  });
}

export function providerControllerName({ kind }: Resource): string {
  return kind.toLowerCase();
}
