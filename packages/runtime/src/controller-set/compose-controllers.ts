import { type Clock, type Disposable, KeyPool, type KeySource, type Logger, type Random } from '@slipway/base';
import { type Metric, Registry } from 'prom-client';
import { customResourceDefinitions, secrets } from '../builtin-resources/index.js';
import type { Client, Resource } from '../client/index.js';
import { ClusterCache, type ClusterCacheOptions, kubeconfigSecrets } from '../cluster-cache/index.js';
import { type Controller, informerSources, type Sources, watchFilter } from '../controller/index.js';
import { addClusterCacheMetrics } from '../diagnostics/index.js';
import { InformerFactory } from '../informer/index.js';
import type { ControllerWebhooks } from './controller-set.js';
import type { ChosenControllers } from './select-controllers.js';

export interface CompositionOptions {
  readonly chosen: ChosenControllers;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly keys?: KeySource;
  /** The one namespace to look at; '' for all. */
  readonly namespace?: string;
  /** The value of the watch-filter label; '' for objects with and without. */
  readonly watchFilter?: string;
  /** How often everything is looked at although nothing changed. */
  readonly resyncMs?: number;
  /** How workload clusters are reached, if not over HTTPS. */
  readonly connect?: ClusterCacheOptions['connect'];
  /** How much of workload clusters at a time. */
  readonly workloadLimits?: Pick<ClusterCacheOptions, 'limits' | 'rateLimit'>;
}

/**
 * What a manager is made of. The same over HTTPS and in the process of the embedded server. Disposed when the controllers
 * have stopped: it ends the connections to workload clusters.
 */
export interface Composition extends Disposable {
  readonly controllers: readonly Controller[];
  readonly sources: Sources;
  readonly webhooks: readonly ControllerWebhooks[];
  /** Every resource that is watched, each once. */
  readonly watched: readonly Resource[];
  /** Shows how workload clusters are reached, and what controllers count. */
  measure(registry: Registry): void;
}

const resyncMsDefault = 600_000;
/** Controllers read the labels of definitions. The schemas behind them are large, and there may be hundreds. */
const definitionsName = `${customResourceDefinitions.plural}.${customResourceDefinitions.group}`;
/** The label that every Secret of a cluster bears. */
const clusterLabel = 'cluster.x-k8s.io/cluster-name';

export function composeControllers(options: CompositionOptions): Composition {
  const { chosen, client, clock, random, logger, namespace = '' } = options;
  const resyncMs = options.resyncMs ?? resyncMsDefault;
  const factory = new InformerFactory({ client, clock, random, logger, resyncMs });
  const scope = namespace === '' ? {} : { namespace };
  const sources = informerSources(factory, {
    defaults: { stripManagedFields: true, ...scope },
    perResource: new Map([[definitionsName, { metadataOnly: true, stripManagedFields: true }]]),
  });
  // Made when the first controller asks: those that reach no workload cluster need not be allowed to read Secrets.
  let workloads: ClusterCache | undefined;
  const openWorkloads = (): ClusterCache => {
    const informer = factory.informer(secrets, { stripManagedFields: true, labelSelector: clusterLabel, ...scope });
    const { connect } = options;
    const kubeconfigs = kubeconfigSecrets(informer, client);
    return new ClusterCache({
      kubeconfigs,
      clock,
      random,
      logger,
      ...options.workloadLimits,
      ...(connect && { connect }),
    });
  };
  const metrics = new Registry();
  const context = {
    client,
    sources,
    get workloads() {
      workloads ??= openWorkloads();
      return workloads;
    },
    clock,
    random,
    keys: options.keys ?? new KeyPool(),
    logger,
    metrics,
    featureGates: chosen.featureGates,
    settings: chosen.settings,
    watchFilter: watchFilter(options.watchFilter ?? ''),
    namespace,
  };
  const controllers = chosen.controllers.map(({ descriptor, concurrency }) => {
    const child = logger.child({ controller: descriptor.name });
    return descriptor.create(withOwn(context, { logger: child, concurrency }));
  });
  const webhooks = chosen.sets.flatMap((set) => set.webhooks?.(context) ?? []);
  const measure = (registry: Registry): void => {
    if (workloads !== undefined) addClusterCacheMetrics(registry, workloads);
    // An array of the metrics themselves, although its type says what they look like in JSON.
    for (const metric of metrics.getMetricsAsArray()) registry.registerMetric(metric as unknown as Metric);
  };
  const watched = controllers.flatMap(({ watches }) => watches.map(({ resource }) => resource));
  if (workloads !== undefined) watched.push(secrets);
  return { controllers, sources, webhooks, watched: distinct(watched), measure, dispose: () => workloads?.dispose() };
}

/** The context of one controller. Spreading it would ask for the workload clusters on its behalf. */
function withOwn<T extends object, O extends object>(shared: T, own: O): T & O {
  return Object.create(shared, Object.getOwnPropertyDescriptors(own)) as T & O;
}

function distinct(resources: readonly Resource[]): readonly Resource[] {
  const found = new Map<string, Resource>();
  for (const resource of resources) found.set(`${resource.plural}.${resource.version}.${resource.group}`, resource);
  return [...found.values()];
}
