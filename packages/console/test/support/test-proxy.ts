import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from '../../../../test/support/peer-process.js';

/** A TCP proxy between the console and the management cluster. Its connections can be cut. */
export interface TestProxy {
  readonly port: number;
  cut(): Promise<void>;
  restore(): Promise<void>;
}

export async function startTestProxy(target: number): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const open = (port: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((near) => {
        const far = keep(connect(target, '127.0.0.1'));
        keep(near).pipe(far).pipe(near);
      });
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
    });
  // Do not use an ephemeral port: another process could get it while the connection is cut.
  const [port = 0] = await freePorts(1);
  let server = await open(port);
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async restore() {
      server = await open(port);
    },
  };
}
