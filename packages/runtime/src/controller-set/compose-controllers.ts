import type { Clock, Logger, Random } from '@slipway/base';
import type { Client, Resource } from '../client/index.js';
import { type Controller, informerSources, type Sources, watchFilter } from '../controller/index.js';
import { InformerFactory } from '../informer/index.js';
import type { ControllerWebhooks } from './controller-set.js';
import type { ChosenControllers } from './select-controllers.js';

export interface CompositionOptions {
  readonly chosen: ChosenControllers;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The one namespace to look at; '' for all. */
  readonly namespace?: string;
  /** The value of the watch-filter label; '' for objects with and without. */
  readonly watchFilter?: string;
  /** How often everything is looked at although nothing changed. */
  readonly resyncMs?: number;
}

/** What a manager is made of. The same over HTTPS and in the process of the embedded server. */
export interface Composition {
  readonly controllers: readonly Controller[];
  readonly sources: Sources;
  readonly webhooks: readonly ControllerWebhooks[];
  /** Every resource that is watched, each once. */
  readonly watched: readonly Resource[];
}

const resyncMsDefault = 600_000;

export function composeControllers(options: CompositionOptions): Composition {
  const { chosen, client, clock, random, logger, namespace = '' } = options;
  const resyncMs = options.resyncMs ?? resyncMsDefault;
  const factory = new InformerFactory({ client, clock, random, logger, resyncMs });
  const sources = informerSources(factory, {
    defaults: { stripManagedFields: true, ...(namespace !== '' && { namespace }) },
  });
  const context = {
    client,
    sources,
    clock,
    random,
    logger,
    featureGates: chosen.featureGates,
    watchFilter: watchFilter(options.watchFilter ?? ''),
    namespace,
  };
  const controllers = chosen.controllers.map(({ descriptor, concurrency }) => {
    const child = logger.child({ controller: descriptor.name });
    return descriptor.create({ ...context, logger: child, concurrency });
  });
  const webhooks = chosen.sets.flatMap((set) => set.webhooks?.(context) ?? []);
  return { controllers, sources, webhooks, watched: distinct(controllers) };
}

function distinct(controllers: readonly Controller[]): readonly Resource[] {
  const found = new Map<string, Resource>();
  for (const { watches } of controllers)
    for (const { resource } of watches) found.set(`${resource.plural}.${resource.version}.${resource.group}`, resource);
  return [...found.values()];
}
