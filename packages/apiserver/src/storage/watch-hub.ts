import type { Logger } from '@slipway/base';
import type { Revision, StoreEvent, StoreWatch } from '../contract/index.js';

type Listener = (event: StoreEvent) => void;

export interface WatchRange {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** One subscription. Tracks the last delivered revision, so that no event is delivered twice. */
export class Watcher implements StoreWatch {
  disposed = false;
  #served: Revision;

  constructor(
    readonly range: WatchRange,
    from: Revision,
    readonly listener: Listener,
    readonly hub: WatchHub,
  ) {
    this.#served = from;
  }

  deliver(event: StoreEvent): void {
    if (this.disposed || event.revision <= this.#served || !this.#matches(event)) return;
    this.#served = event.revision;
    this.hub.guard(this.listener, event);
  }

  dispose(): void {
    this.disposed = true;
    this.hub.remove(this);
  }

  #matches(event: StoreEvent): boolean {
    const { resource, namespace, name } = event.current.key;
    const { range } = this;
    return (
      resource === range.resource &&
      (range.namespace === undefined || range.namespace === namespace) &&
      (range.name === undefined || range.name === name)
    );
  }
}

/** Subscriptions by resource, namespace and name. A write makes four lookups and visits only matching subscriptions. */
export class WatchHub {
  readonly #resources = new Map<string, Map<string, Set<Watcher>>>();

  constructor(readonly log: Logger) {}

  add(watcher: Watcher): void {
    const { resource } = watcher.range;
    const places = this.#resources.get(resource) ?? new Map<string, Set<Watcher>>();
    this.#resources.set(resource, places);
    const place = placeOf(watcher.range.namespace, watcher.range.name);
    const watchers = places.get(place) ?? new Set();
    places.set(place, watchers.add(watcher));
  }

  remove(watcher: Watcher): void {
    const { resource } = watcher.range;
    const places = this.#resources.get(resource);
    const place = placeOf(watcher.range.namespace, watcher.range.name);
    const watchers = places?.get(place);
    if (places === undefined || watchers === undefined) return;
    watchers.delete(watcher);
    if (watchers.size === 0) places.delete(place);
    if (places.size === 0) this.#resources.delete(resource);
  }

  publish(event: StoreEvent): void {
    const { resource, namespace, name } = event.current.key;
    const places = this.#resources.get(resource);
    if (places === undefined) return;
    deliverTo(places.get(placeOf(undefined, undefined)), event);
    deliverTo(places.get(placeOf(namespace, undefined)), event);
    deliverTo(places.get(placeOf(namespace, name)), event);
    deliverTo(places.get(placeOf(undefined, name)), event);
  }

  /** Calls a listener. A listener that throws must not affect the writer or other listeners. */
  guard(listener: Listener, event: StoreEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.log.error({ err: error, resource: event.current.key.resource }, 'Watch listener failed');
    }
  }

  clear(): void {
    for (const places of this.#resources.values()) {
      for (const watchers of places.values()) for (const watcher of watchers) watcher.disposed = true;
    }
    this.#resources.clear();
  }
}

function deliverTo(watchers: Set<Watcher> | undefined, event: StoreEvent): void {
  if (watchers === undefined) return;
  for (const watcher of watchers) watcher.deliver(event);
}

/**
 * Returns the key of a subscription, where NUL means 'any'. Even if an object had such a name, the watcher's own filter still
 * applies.
 */
function placeOf(namespace: string | undefined, name: string | undefined): string {
  return `${namespace ?? '\0'}/${name ?? '\0'}`;
}
