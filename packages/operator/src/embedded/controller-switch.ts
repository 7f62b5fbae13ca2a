import { anySignal, type Controller, type ControllerSet, type Fence, FencedError, type Gate } from '@slipway/runtime';

/** Stops and starts controllers at run time. While stopped, they receive no events and their writes are rejected. */
export class ControllerSwitch {
  readonly #listeners = new Set<() => void>();
  readonly #name: string;
  /** Aborted when the controllers stop, which cancels their requests in flight. */
  #session: AbortController | undefined = new AbortController();

  constructor(name: string) {
    this.#name = name;
  }

  get isOn(): boolean {
    return this.#session !== undefined;
  }

  turn(on: boolean): void {
    if (on === this.isOn) return;
    if (on) {
      this.#session = new AbortController();
      // Resync to process changes that were missed while stopped.
      for (const listener of this.#listeners) listener();
      return;
    }
    const session = this.#session;
    this.#session = undefined;
    session?.abort(new FencedError(`${this.#name} is stopped`));
  }

  /** Wraps the controllers so that this switch stops and starts them. */
  behind(set: ControllerSet, isMeant: (name: string) => boolean): ControllerSet {
    const controllers = set.controllers.map((descriptor) =>
      isMeant(descriptor.name)
        ? {
            ...descriptor,
            create: (context: Parameters<typeof descriptor.create>[0]) => this.#gated(descriptor.create(context)),
          }
        : descriptor,
    );
    return { ...set, controllers };
  }

  #gated(controller: Controller): Controller {
    return {
      ...controller,
      start: (environment) => controller.start({ ...environment, gate: this.#gate(environment.gate) }),
    };
  }

  #gate(inner: Gate): Gate {
    return {
      ...(inner.shardKeyOf && { shardKeyOf: inner.shardKeyOf }),
      fenceFor: (shardKey) => {
        const fence = inner.fenceFor(shardKey);
        return fence === undefined || this.#session === undefined ? undefined : this.#fence(fence, this.#session);
      },
      onGained: (listener) => {
        this.#listeners.add(listener);
        const other = inner.onGained(listener);
        return {
          dispose: () => {
            this.#listeners.delete(listener);
            return other.dispose();
          },
        };
      },
    };
  }

  #fence(inner: Fence, session: AbortController): Fence {
    return {
      check: () => {
        inner.check();
        if (session.signal.aborted) throw session.signal.reason;
      },
      signal: anySignal(inner.signal, session.signal),
    };
  }
}
