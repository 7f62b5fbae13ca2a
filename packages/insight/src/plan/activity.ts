import type { Controller, ControllerEnvironment, ControllerMetrics, ControllerSet } from '@slipway/runtime';

/** Tracks whether any controller of the simulation is reconciling. */
export class Activity {
  readonly #active = new Map<string, number>();
  #external = 0;

  /** Whether a request to another process is open. The request takes real time, in which simulated time must not advance. */
  get isWaiting(): boolean {
    return this.#external > 0;
  }

  async external<T>(work: () => Promise<T>): Promise<T> {
    this.#external += 1;
    try {
      return await work();
    } finally {
      this.#external -= 1;
    }
  }

  get isIdle(): boolean {
    for (const count of this.#active.values()) if (count > 0) return false;
    return true;
  }

  watch(sets: readonly ControllerSet[]): ControllerSet[] {
    return sets.map((set) => ({
      ...set,
      controllers: set.controllers.map((descriptor) => ({
        ...descriptor,
        create: (context) => this.#observed(descriptor.create(context)),
      })),
    }));
  }

  #observed(controller: Controller): Controller {
    return { ...controller, start: (environment) => controller.start(this.#environment(environment)) };
  }

  #environment(environment: ControllerEnvironment): ControllerEnvironment {
    return {
      ...environment,
      metrics: (name, concurrency) => this.#metrics(name, environment.metrics(name, concurrency)),
    };
  }

  #metrics(name: string, metrics: ControllerMetrics): ControllerMetrics {
    return {
      ...bound(metrics),
      active: (count) => {
        this.#active.set(name, count);
        metrics.active(count);
      },
    };
  }
}

/** Binds the methods of the metrics, which may be a class instance: a spread would lose its methods. */
function bound(metrics: ControllerMetrics): ControllerMetrics {
  return {
    queue: metrics.queue,
    attach: (queue) => metrics.attach(queue),
    reconciled: (result, seconds) => metrics.reconciled(result, seconds),
    failed: () => metrics.failed(),
    failedTerminally: () => metrics.failedTerminally(),
    panicked: () => metrics.panicked(),
    timedOut: () => metrics.timedOut(),
    waitedForCache: (kind) => metrics.waitedForCache(kind),
    active: (count) => metrics.active(count),
    changed: (kind, verb, reason) => metrics.changed(kind, verb, reason),
  };
}
