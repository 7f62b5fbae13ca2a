import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '@slipway/base';
import { certificateToPem, generatePrivateKey, privateKeyToPem, selfSign, servingTemplate } from '@slipway/pki';

export interface TestHttpsServer {
  /** `name:port` */
  readonly host: string;
  /** The CA certificate that clients must trust, in PEM. */
  readonly certificateAuthority: string;
  /** The received requests as `GET /path`, in order. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

export interface HttpsServerOptions {
  /** Host name to listen on and to include in the certificate. Defaults to localhost. */
  readonly name?: string;
  /** Port to listen on. Defaults to a free port. */
  readonly port?: number;
}

export async function startHttpsServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { name = 'localhost', port = 0 }: HttpsServerOptions = {},
): Promise<TestHttpsServer> {
  const key = await generatePrivateKey('ECDSA');
  const dependencies = { clock: systemClock, random: systemRandom };
  const certificate = certificateToPem(await selfSign(dependencies, servingTemplate(name, [name, '127.0.0.1']), key));
  const requests: string[] = [];
  const server = createServer({ cert: certificate, key: privateKeyToPem(key) }, (request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    handle(request, response);
  });
  server.listen(port, name);
  await once(server, 'listening');
  return {
    host: `${name}:${(server.address() as AddressInfo).port}`,
    certificateAuthority: certificate,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
