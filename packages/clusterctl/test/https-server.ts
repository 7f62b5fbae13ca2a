import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  certificateToPem,
  generatePrivateKey,
  privateKeyToPem,
  selfSign,
  servingTemplate,
  systemClock,
  systemRandom,
} from '@slipway/base';

export interface TestHttpsServer {
  /** `localhost:port` */
  readonly host: string;
  /** Whom a client has to trust. */
  readonly certificateAuthority: string;
  /** `GET /path`, in the order in which they came. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

export async function startHttpsServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestHttpsServer> {
  const key = await generatePrivateKey('ECDSA');
  const world = { clock: systemClock, random: systemRandom };
  const certificate = certificateToPem(
    await selfSign(world, servingTemplate('localhost', ['localhost', '127.0.0.1']), key),
  );
  const requests: string[] = [];
  const server = createServer({ cert: certificate, key: privateKeyToPem(key) }, (request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    handle(request, response);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    certificateAuthority: certificate,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
