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
import type { OperatorDependencies } from './dependencies.js';
import { providerMetrics } from './provider-metrics.js';
import { phasesTimeoutMs, reconcileProvider } from './reconcile.js';
import { dependantWatches, wakeByReference } from './wake.js';

export interface ProviderControllerOptions {
  readonly resource: Resource<ProviderObject>;
  readonly context: ControllerContext;
  readonly dependencies: OperatorDependencies;
  readonly follower: ObjectFollower;
}

/** Timeout of a reconcile. It is longer than the timeout of the phases, which is reported in a condition. */
const timeoutMs = phasesTimeoutMs + 60_000;

/** Selects changes that matter. The status updates of this controller do not. */
const matters: Predicate<ProviderObject> = anyOf<ProviderObject>(
  ({ isInitial }) => isInitial,
  generationChanged,
  annotationsChanged,
  ({ object, previous }) => !deepEqual(object.metadata.finalizers, previous?.metadata.finalizers),
);

/** Reconciles the providers of one kind. */
export function createProviderController(options: ProviderControllerOptions): Controller {
  const { resource, context, follower } = options;
  const { concurrency, watchFilter, sources } = context;
  const dependencies = { ...options.dependencies, observePhase: providerMetrics(context) };
  return createController<ProviderObject>({
    name: providerControllerName(resource),
    for: resource,
    filter: (change) => watchFilter(change) && matters(change),
    concurrency,
    timeoutMs,
    watches: dependantWatches(resource, sources),
    triggers: [(enqueue) => follower.follow(context, wakeByReference(resource, sources, enqueue))],
    reconcile: (key, reconcileContext) => reconcileProvider(resource, key, reconcileContext, dependencies),
  });
}

export function providerControllerName({ kind }: Resource): string {
  return kind.toLowerCase();
}
