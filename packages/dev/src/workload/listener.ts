import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '@slipway/base';

/** The ports from which clusters get theirs: below those that systems give to outgoing connections. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export class PortsExhausted extends Error {
  constructor(host: string, { first, last }: PortRange) {
    super(`no port between ${first} and ${last} of ${host} is free`);
    this.name = 'PortsExhausted';
  }
}

/**
 * Holds a port for a cluster from the beginning, so that nobody takes it before its first API server is up. Until then
 * connections are cut, as by a load balancer with nothing behind it.
 */
export class Listener {
  /** Takes over a connection; undefined cuts it. */
  onConnection: ((socket: Socket) => void) | undefined;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server | undefined,
    readonly host: string,
    readonly port: number,
    /** Whether somebody else listens there, and passes connections on to machines. */
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

  static async open(host: string, port: number): Promise<Listener> {
    const server = createServer();
    // Who could not connect tries again.
    const address = await listenOn(server, { host, port, exclusive: true }, () => undefined);
    return new Listener(server, host, address.port);
  }

  /** A port that nobody can connect to: for simulations that are all within one process. */
  static imaginary(host: string, port: number): Listener {
    return new Listener(undefined, host, port);
  }

  /** The port of a load balancer, which is no part of the cluster. */
  static elsewhere(host: string, port: number): Listener {
    return new Listener(undefined, host, port, true);
  }

  /** Nobody answers any more: open connections end, new ones are cut. */
  cut(): void {
    this.onConnection = undefined;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts what is still connected: whoever keeps a connection open must not keep the cluster. */
  async close(): Promise<void> {
    const { server } = this;
    const closed =
      server?.listening === true ? new Promise<void>((resolve) => void server.close(() => resolve())) : undefined;
    this.cut();
    await closed;
  }
}

const takenCodes = new Set(['EADDRINUSE', 'EACCES']);

/** Whether a port could not be had because others have it. */
export function isTaken(error: unknown): boolean {
  return takenCodes.has((error as { readonly code?: string } | undefined)?.code ?? '');
}
