import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '@slipway/base';

/** The port range of clusters, which is below the ephemeral ports of operating systems. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export class PortsExhausted extends Error {
  constructor(host: string, { first, last }: PortRange) {
    super(`no free port between ${first} and ${last} on ${host}`);
    this.name = 'PortsExhausted';
  }
}

/**
 * Reserves a port for a cluster before its first API server runs. Until then connections are closed, as by a load balancer
 * without backends.
 */
export class Listener {
  /** Handles a connection. If undefined, connections are closed. */
  onConnection: ((socket: Socket) => void) | undefined;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server | undefined,
    readonly host: string,
    readonly port: number,
    /** Whether a load balancer of another provider has this endpoint and forwards connections to machines. */
    readonly isElsewhere = false,
  ) {
    server?.on('connection', (socket: Socket) => {
      if (this.onConnection === undefined) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      this.onConnection(socket);
    });
  }

  /** Opens a port. `bindAddress` is the local address if `host` is not one, such as the name of a Service. */
  static async open(host: string, port: number, bindAddress: string = host): Promise<Listener> {
    const server = createServer();
    // Errors of single connections are ignored: the client retries.
    const address = await listenOn(server, { host: bindAddress, port, exclusive: true }, () => undefined);
    return new Listener(server, host, address.port);
  }

  /** Returns a listener without a port, for simulations within one process. */
  static imaginary(host: string, port: number): Listener {
    return new Listener(undefined, host, port);
  }

  /** Returns a listener for the endpoint of a load balancer outside of the cluster. */
  static elsewhere(host: string, port: number): Listener {
    return new Listener(undefined, host, port, true);
  }

  /** Stops the API server: closes open connections and refuses new ones. */
  cut(): void {
    this.onConnection = undefined;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Closes open connections, so that a client with an open connection does not keep the cluster alive. */
  async close(): Promise<void> {
    const { server } = this;
    const closed =
      server?.listening === true ? new Promise<void>((resolve) => void server.close(() => resolve())) : undefined;
    this.cut();
    await closed;
  }
}

const takenCodes = new Set(['EADDRINUSE', 'EACCES']);

/** Whether binding the port failed because another process uses it. */
export function isTaken(error: unknown): boolean {
  return takenCodes.has((error as { readonly code?: string } | undefined)?.code ?? '');
}
