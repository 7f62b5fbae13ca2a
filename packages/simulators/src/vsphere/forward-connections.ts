import { createServer, type Server, type Socket } from 'node:net';
import { listenOn } from '@slipway/base';
import { haproxyPorts } from '@slipway/vsphere';
import type { SimulatedGuests } from './guests.js';
import { reachSimulatedGuest, type RunHaproxy } from './haproxy-guests.js';

/** Passes a connection to the API server at an address. Returns false if no server listens there. */
type Accept = (address: string, connection: Socket) => boolean;

/**
 * Simulates HAProxy for simulated machines: listens at the endpoint of a cluster and forwards each connection to the first
 * server of the configuration that accepts it.
 */
export function forwardConnections(guests: Pick<SimulatedGuests, 'accept'>): RunHaproxy {
  const forwarders = new Map<string, Forwarder>();
  return async (address, configuration, cluster) => {
    const running = forwarders.get(address);
    if (configuration === undefined) {
      forwarders.delete(address);
      await running?.stop();
      return;
    }
    const accept: Accept = (server, connection) => guests.accept(cluster, server, connection);
    const forwarder = running ?? (await Forwarder.start(reachSimulatedGuest(address), accept));
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
    // Ignore later errors of the server, such as a failed accept: clients retry.
    await listenOn(server, { host, port: haproxyPorts.api, exclusive: true }, () => undefined);
    return forwarder;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Returns the addresses of the servers with a weight above 0, in the order of the configuration. */
function serversOf(configuration: string): string[] {
  return [...configuration.matchAll(/^ +server \S+ (\S+):\d+ weight [1-9]\d*$/gm)].map(([, address = '']) => address);
}
