import { connect, type Socket } from 'node:net';
import type { Backend } from '../engine/index.js';

const connectTimeoutMs = 2_000;

/** Forwards connections to API servers, one after the other; one that does not answer is passed over. */
export class Balancer {
  #backends: readonly Backend[];
  #next = 0;

  constructor(backends: readonly Backend[]) {
    this.#backends = backends;
  }

  /** Connections that are open stay where they are. */
  use(backends: readonly Backend[]): void {
    this.#backends = backends;
  }

  async serve(client: Socket): Promise<void> {
    client.on('error', () => client.destroy());
    // What the client says before a server is found waits in the socket.
    client.pause();
    const server = await this.#open();
    if (server === undefined || client.destroyed) {
      server?.destroy();
      client.destroy();
      return;
    }
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.pipe(server);
    server.pipe(client);
  }

  async #open(): Promise<Socket | undefined> {
    const backends = this.#backends;
    const start = this.#next;
    this.#next += 1;
    for (let offset = 0; offset < backends.length; offset += 1) {
      const backend = backends[(start + offset) % backends.length];
      const socket = backend && (await open(backend));
      if (socket !== undefined) return socket;
    }
    return undefined;
  }
}

function open({ host, port }: Backend): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
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
