import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '@slipway/base';
import { haproxyPorts } from '@slipway/vsphere';
import type { StandInGuests } from './guests.js';
import { reachStandInGuest, type RunHaproxy } from './haproxy-guests.js';

/** Lets the API server at an address have a connection. False if none answers there. */
type Accept = (address: string, connection: Socket) => boolean;

/**
 * Does for simulated machines what HAProxy does: listens where the API of a cluster is, and gives each connection to the first
 * server of the configuration that answers.
 */
export function forwardConnections(guests: Pick<StandInGuests, 'accept'>): RunHaproxy {
  const forwarders = new Map<string, Forwarder>();
  return async (address, configuration, cluster) => {
    const running = forwarders.get(address);
    if (configuration === undefined) {
      forwarders.delete(address);
      await running?.stop();
      return;
    }
    const accept: Accept = (server, connection) => guests.accept(cluster, server, connection);
    const forwarder = running ?? (await Forwarder.start(reachStandInGuest(address), accept));
    forwarders.set(address, forwarder);
    forwarder.servers = serversOf(configuration);
  };
}

class Forwarder {
  servers: readonly string[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    accept: Accept,
  ) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#sockets.delete(socket));
      if (!this.servers.some((address) => accept(address, socket))) socket.destroy();
    });
  }

  static async start(host: string, accept: Accept): Promise<Forwarder> {
    const server = createServer();
    const forwarder = new Forwarder(server, accept);
    // Who could not connect tries again.
    await listenOn(server, { host, port: haproxyPorts.api, exclusive: true }, () => undefined);
    return forwarder;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** The addresses of the servers that get new connections, in their order. */
function serversOf(configuration: string): string[] {
  return [...configuration.matchAll(/^ +server \S+ (\S+):\d+ weight [1-9]\d*$/gm)].map(([, address = '']) => address);
}
