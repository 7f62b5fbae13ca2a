import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { servePortForward } from '../../packages/runtime/src/testing/port-forward-server.js';
import type { OpensslAuthority } from './openssl-certificates.js';

export interface FakeKubelet {
  readonly port: number;
  /** The requested paths. */
  readonly paths: readonly string[];
  stop(): Promise<void>;
}

/** Simulates the port-forward endpoint of a kubelet, to which kube-apiserver proxies the connection. */
export async function startFakeKubelet(
  authority: OpensslAuthority,
  portOf: (pod: string, port: number) => number,
): Promise<FakeKubelet> {
  const issued = authority.issue('kubelet', '/CN=kubelet', [
    'subjectAltName=IP:127.0.0.1',
    'extendedKeyUsage=serverAuth',
  ]);
  const server = createServer({
    cert: readFileSync(issued.certificateFile, 'utf8'),
    key: readFileSync(issued.keyFile, 'utf8'),
  });
  const paths: string[] = [];
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const { pathname } = new URL(request.url ?? '', 'https://localhost');
    paths.push(pathname);
    const pod = pathname.split('/')[3] ?? '';
    servePortForward(request, socket, { portOf: (port) => portOf(pod, port) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
