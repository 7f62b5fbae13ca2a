import { connect, createServer, type Server, type Socket } from 'node:net';

/** The way from the console to the management cluster, which can be cut. */
export interface Cable {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function layCable(target: number): Promise<Cable> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const open = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((near) => {
        const far = keep(connect(target, '127.0.0.1'));
        keep(near).pipe(far).pipe(near);
      });
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await open(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      server = await open(port);
    },
  };
}
