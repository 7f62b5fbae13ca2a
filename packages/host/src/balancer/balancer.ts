import { connect, type Socket } from 'node:net';
import type { Clock } from '@slipway/base';
import type { Backend } from '../engine/index.js';

const connectTimeoutMs = 2_000;
/** For how long a server that did not answer comes last: one that is gone costs the whole time limit each time. */
const distrustMs = 5_000;

/** Forwards connections to API servers, one after the other; one that does not answer is passed over. */
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

  /** Connections that are open stay where they are. */
  use(backends: readonly Backend[]): void {
    this.#backends = backends;
    this.#failedAt.clear();
  }

  /** Takes sockets that may be half open: who has said all may still listen. */
  async serve(client: Socket): Promise<void> {
    client.setKeepAlive(true);
    client.on('error', () => client.destroy());
    // What the client says before a server is found waits in the socket.
    client.pause();
    const server = await this.#open();
    if (server === undefined || client.destroyed) {
      server?.destroy();
      client.destroy();
      return;
    }
    server.on('error', () => server.destroy());
    // One that ended well may have more to deliver to the other side; only a failure ends both.
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

  /** All of them, beginning with another one each time; those that failed a moment ago at the end. */
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
