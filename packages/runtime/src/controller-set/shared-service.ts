import type { Clock, Disposable, Logger, Random } from '@slipway/base';
import type { Registry } from 'prom-client';
import type { ConnectRemote } from '../change/index.js';
import type { Client, RateLimit, Resource } from '../client/index.js';
import type { InformerFactory } from '../informer/index.js';

/** Limits of connections to clusters other than the management cluster. */
export interface RemoteLimits {
  /** Maximum number of connections that are opened concurrently. */
  readonly connectingMax?: number;
  /** Rate limit of requests to one cluster. */
  readonly rateLimit?: RateLimit;
}

export interface SharedServiceDependencies {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The watched namespace; '' for all namespaces. */
  readonly namespace: string;
  readonly connect?: ConnectRemote;
  readonly remoteLimits: RemoteLimits;
}

/** An open service. It is disposed after the controllers have stopped. */
export interface OpenService<T> extends Disposable {
  readonly value: T;
  /** Resources that the service itself watches. */
  readonly watched: readonly Resource[];
  measure(registry: Registry): void;
}

/** A service that controllers of different sets share. It is opened when the first controller requests it. */
export interface SharedService<T> {
  open(dependencies: SharedServiceDependencies): OpenService<T>;
}

/** The services of one process, each opened once. */
export class SharedServices implements Disposable {
  readonly #dependencies: SharedServiceDependencies;
  readonly #open = new Map<SharedService<unknown>, OpenService<unknown>>();

  constructor(dependencies: SharedServiceDependencies) {
    this.#dependencies = dependencies;
  }

  get<T>(service: SharedService<T>): T {
    let open = this.#open.get(service);
    if (open === undefined) this.#open.set(service, (open = service.open(this.#dependencies)));
    return open.value as T;
  }

  watched(): readonly Resource[] {
    return [...this.#open.values()].flatMap(({ watched }) => watched);
  }

  measure(registry: Registry): void {
    for (const service of this.#open.values()) service.measure(registry);
  }

  async dispose(): Promise<void> {
    for (const service of this.#open.values()) await service.dispose();
  }
}
