import type { Guests } from '@slipway/dev';

/** A server of the cloud. */
export interface Server {
  readonly name: string;
  readonly address: string;
}

/**
 * The simulated cloud. A real provider has a client of its cloud here, which must be idempotent in the same way, because a
 * reconcile can be interrupted at any instant and start again.
 */
export class Cloud {
  readonly #servers = new Map<string, Server>();
  #created = 0;

  /**
   * `guests` simulates the software on the servers: kubelet, and on control plane servers etcd and the API server. Servers of a
   * real cloud run the bootstrap data instead.
   */
  constructor(readonly guests?: Guests) {}

  find(name: string): Server | undefined {
    return this.#servers.get(name);
  }

  /** Returns the server of that name, and creates it first if there is none. Idempotent. */
  create(name: string): Server {
    const known = this.#servers.get(name);
    if (known !== undefined) return known;
    this.#created += 1;
    const server = { name, address: `192.0.2.${this.#created}` };
    this.#servers.set(name, server);
    return server;
  }

  /** Deletes a server. Idempotent: deleting a server that does not exist succeeds. */
  delete(name: string): void {
    this.#servers.delete(name);
  }

  get servers(): readonly Server[] {
    return [...this.#servers.values()];
  }
}
