import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '@slipway/base';
import {
  certificateToPem,
  createCa,
  generatePrivateKey,
  issueCertificate,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';

/** A request that the test webhook received. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export type Answerer = (
  call: ReceivedCall,
  response: ServerResponse,
) => object | undefined | Promise<object | undefined>;

/** A TLS server with a test-defined handler. A handler that returns undefined has written the response itself. */
export class TestWebhook {
  readonly calls: ReceivedCall[] = [];
  #answer: Answerer = () => ({});
  readonly #server: Server;
  connections = 0;

  private constructor(
    server: Server,
    /** Base64-encoded PEM, as in webhook configurations. */
    readonly caBundle: string,
    /** The serving certificate itself, in the same encoding. */
    readonly servingBundle: string,
  ) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // The client may have disconnected before the end of the response.
      this.#handle(request, response).catch(() => response.destroy());
    });
    server.on('secureConnection', () => {
      this.connections += 1;
    });
  }

  static async start(names: readonly string[] = ['localhost', '127.0.0.1']): Promise<TestWebhook> {
    const dependencies = { clock: systemClock, random: systemRandom };
    const authority = await createCa(dependencies, { commonName: 'webhooks', key: await generatePrivateKey('ECDSA') });
    const key = await generatePrivateKey('ECDSA');
    const certificate = await issueCertificate(
      dependencies,
      authority,
      servingTemplate('webhook', names),
      publicKeyOf(key),
    );
    const server = createServer({ cert: certificateToPem(certificate), key: privateKeyToPem(key) });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bundles = [authority.certificate, certificate].map((one) =>
      Buffer.from(certificateToPem(one)).toString('base64'),
    );
    return new TestWebhook(server, bundles[0] ?? '', bundles[1] ?? '');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `https://127.0.0.1:${this.port}${path}`;
  }

  answer(answer: Answerer): void {
    this.#answer = answer;
    this.calls.length = 0;
  }

  /** Closes idle keep-alive connections. */
  dropIdle(): void {
    this.#server.closeIdleConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
    const call = { path: request.url ?? '', headers: request.headers, body };
    this.calls.push(call);
    const answer = await this.#answer(call, response);
    if (answer === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  }
}
