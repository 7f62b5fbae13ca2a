import { type Clock, type Disposable, type Logger, type Random } from '@slipway/base';
import { KeyPool, type KeySource } from '@slipway/pki';
import { type Metric, Registry } from 'prom-client';
import { customResourceDefinitions } from '../builtin-resources/index.js';
import type { ConnectRemote } from '../change/index.js';
import type { Client, Resource } from '../client/index.js';
import { type AnyPredicate, type Controller, informerSources, type Sources } from '../controller/index.js';
import { InformerFactory } from '../informer/index.js';
import type { ControllerContext, ControllerWebhooks } from './controller-set.js';
import type { ChosenControllers } from './select-controllers.js';
import { type RemoteLimits, SharedServices } from './shared-service.js';

export interface CompositionOptions {
  readonly chosen: ChosenControllers;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly keys?: KeySource;
  /** The watched namespace; '' for all namespaces. */
  readonly namespace?: string;
  /** Selects the objects that the controllers reconcile. All objects by default. */
  readonly watchFilter?: AnyPredicate;
  /** Interval at which every object is reconciled again. */
  readonly resyncMs?: number;
  /** Opens clients of other clusters. Default: over HTTPS. */
  readonly connect?: ConnectRemote;
  readonly remoteLimits?: RemoteLimits;
}

/**
 * The parts of a manager. They are the same over HTTPS and in process on the embedded server. Dispose it after the controllers
 * have stopped: this closes everything that they share, such as connections to workload clusters.
 */
export interface Composition extends Disposable {
  readonly controllers: readonly Controller[];
  readonly sources: Sources;
  readonly webhooks: readonly ControllerWebhooks[];
  /** Every watched resource, each once. */
  readonly watched: readonly Resource[];
  /** Adds the metrics of the controllers and of the services that they share. */
  measure(registry: Registry): void;
}

const resyncMsDefault = 600_000;
/** Of CRDs only the labels are cached: controllers read nothing else, the schemas are large, and there may be hundreds. */
const definitionsName = `${customResourceDefinitions.plural}.${customResourceDefinitions.group}`;

export function composeControllers(options: CompositionOptions): Composition {
  const { chosen, client, clock, random, logger, namespace = '' } = options;
  const resyncMs = options.resyncMs ?? resyncMsDefault;
  const factory = new InformerFactory({ client, clock, random, logger, resyncMs });
  const scope = namespace === '' ? {} : { namespace };
  const sources = informerSources(factory, {
    defaults: { stripManagedFields: true, ...scope },
    perResource: new Map([[definitionsName, { metadataOnly: true, stripManagedFields: true }]]),
  });
  const services = new SharedServices({
    client,
    informers: factory,
    clock,
    random,
    logger,
    namespace,
    remoteLimits: options.remoteLimits ?? {},
    ...(options.connect && { connect: options.connect }),
  });
  const metrics = new Registry();
  const context: Omit<ControllerContext, 'concurrency'> = {
    client,
    sources,
    shared: (service) => services.get(service),
    clock,
    random,
    keys: options.keys ?? new KeyPool(),
    logger,
    metrics,
    featureGates: chosen.featureGates,
    settings: chosen.settings,
    watchFilter: options.watchFilter ?? (() => true),
    namespace,
  };
  const controllers = chosen.controllers.map(({ descriptor, concurrency }) => {
    const child = logger.child({ controller: descriptor.name });
    return descriptor.create({ ...context, logger: child, concurrency });
  });
  const webhooks = chosen.sets.flatMap((set) => set.webhooks?.(context) ?? []);
  const measure = (registry: Registry): void => {
    services.measure(registry);
    // The array contains the metrics themselves, although its type describes their JSON form.
    for (const metric of metrics.getMetricsAsArray()) registry.registerMetric(metric as unknown as Metric);
  };
  const watched = controllers.flatMap(({ watches }) => watches.map(({ resource }) => resource));
  return {
    controllers,
    sources,
    webhooks,
    watched: distinct([...watched, ...services.watched()]),
    measure,
    dispose: () => services.dispose(),
  };
}

function distinct(resources: readonly Resource[]): readonly Resource[] {
  const found = new Map<string, Resource>();
  for (const resource of resources) found.set(`${resource.plural}.${resource.version}.${resource.group}`, resource);
  return [...found.values()];
}
