import { connect, type Socket } from 'node:net';
import type { Clock } from '@slipway/base';
import type { Backend } from '../engine/index.js';

const connectTimeoutMs = 2_000;
/**
 * For this time, a server that did not respond is tried after all others, because each attempt to reach it takes the
 * whole timeout.
 */
const distrustMs = 5_000;

/** Forwards connections to API servers in round-robin order, and skips servers that do not respond. */
export class Balancer {
  #backends: readonly Backend[];
  #next = 0;
  readonly #failedAt = new Map<string, number>();

  constructor(
    backends: readonly Backend[],
    private readonly clock: Clock,
  ) {
    this.#backends = backends;
  }

  /** Replaces the servers. Open connections are kept. */
  use(backends: readonly Backend[]): void {
    this.#backends = backends;
    this.#failedAt.clear();
  }

  /** Forwards a connection. Supports half-open sockets: a client that has sent everything may still read. */
  async serve(client: Socket): Promise<void> {
    client.setKeepAlive(true);
    client.on('error', () => client.destroy());
    // Pause the client until a server is found. Its data stays in the buffer of the socket.
    client.pause();
    const server = await this.#open();
    if (server === undefined || client.destroyed) {
      server?.destroy();
      client.destroy();
      return;
    }
    server.on('error', () => server.destroy());
    // If one side ends normally, the other direction stays open. Only an error closes both.
    client.on('close', (hasFailed) => hasFailed && server.destroy());
    server.on('close', (hasFailed) => hasFailed && client.destroy());
    client.pipe(server);
    server.pipe(client);
  }

  async #open(): Promise<Socket | undefined> {
    for (const backend of this.#candidates()) {
      const socket = await open(backend);
      if (socket !== undefined) {
        this.#failedAt.delete(keyOf(backend));
        return socket;
      }
      this.#failedAt.set(keyOf(backend), this.clock.monotonic());
    }
    return undefined;
  }

  /** Returns all servers, starting at the next one in turn, with those that failed recently at the end. */
  #candidates(): Backend[] {
    const start = this.#next % Math.max(this.#backends.length, 1);
    this.#next += 1;
    const turned = [...this.#backends.slice(start), ...this.#backends.slice(0, start)];
    const isTrusted = (backend: Backend): boolean => {
      const failedAt = this.#failedAt.get(keyOf(backend));
      return failedAt === undefined || this.clock.monotonic() - failedAt > distrustMs;
    };
    return [...turned.filter(isTrusted), ...turned.filter((backend) => !isTrusted(backend))];
  }
}

function keyOf({ host, port }: Backend): string {
  return `${host}:${port}`;
}

function open({ host, port }: Backend): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true, allowHalfOpen: true });
    const give = (result: Socket | undefined): void => {
      socket.removeAllListeners();
      socket.setTimeout(0);
      if (result === undefined) socket.destroy();
      resolve(result);
    };
    socket.setTimeout(connectTimeoutMs, () => give(undefined));
    socket.once('error', () => give(undefined));
    socket.once('connect', () => give(socket));
  });
}
