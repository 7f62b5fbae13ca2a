import type { Logger, LogFields } from '@slipway/base';
import type { Controller, ControllerEnvironment, ControllerMetrics, ControllerSet } from '@slipway/runtime';

/** What a controller decided about an object, in its own words. */
export interface Decision {
  /** The kind and name of what it is about. */
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
  /** What it is that it does: the constant text of the log line. */
  readonly action: string;
}

const kindsOfInterest = ['Machine', 'MachineSet'] as const;

/** Looks over the shoulders of controllers: whether any of them works, and what they decide. */
export class Activity {
  readonly decisions: Decision[] = [];
  readonly #active = new Map<string, number>();

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
      logger: this.#logger(environment.logger),
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

  #logger(logger: Logger): Logger {
    return {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message) => {
        this.#note(fields, message);
        logger.info(fields, message);
      },
      warn: (fields, message) => logger.warn(fields, message),
      error: (fields, message) => logger.error(fields, message),
      child: (fields) => this.#logger(logger.child(fields)),
    };
  }

  #note(fields: LogFields, action: string): void {
    const { reason, message = '' } = fields;
    if (typeof reason !== 'string') return;
    for (const kind of kindsOfInterest) {
      const name = nameIn(fields[kind]);
      if (name !== undefined) this.decisions.push({ kind, name, reason, message: String(message), action });
    }
  }
}

function nameIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { name } = (value ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

/** Metrics may be of a class, whose methods a spread would lose. */
function bound(metrics: ControllerMetrics): ControllerMetrics {
  return {
    queue: metrics.queue,
    attach: (queue) => metrics.attach(queue),
    reconciled: (result, seconds) => metrics.reconciled(result, seconds),
    failed: () => metrics.failed(),
    failedForGood: () => metrics.failedForGood(),
    broke: () => metrics.broke(),
    timedOut: () => metrics.timedOut(),
    putOff: (kind) => metrics.putOff(kind),
    active: (count) => metrics.active(count),
    changed: (kind, verb, reason) => metrics.changed(kind, verb, reason),
  };
}
