import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  certificateToPem,
  createAuthority,
  generatePrivateKey,
  issueCertificate,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
  systemClock,
  systemRandom,
} from '@slipway/base';

/** What a webhook under test was asked. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export type Answerer = (
  call: ReceivedCall,
  response: ServerResponse,
) => object | undefined | Promise<object | undefined>;

/** A real TLS server that answers as the test says. An answerer that gives undefined has written the answer itself. */
export class TestWebhook {
  readonly calls: ReceivedCall[] = [];
  #answer: Answerer = () => ({});
  readonly #server: Server;
  connections = 0;

  private constructor(
    server: Server,
    /** PEM in base64, as configurations have it. */
    readonly caBundle: string,
  ) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // Whoever called may have gone in the middle of a word.
      this.#handle(request, response).catch(() => response.destroy());
    });
    server.on('secureConnection', () => {
      this.connections += 1;
    });
  }

  static async start(names: readonly string[] = ['localhost', '127.0.0.1']): Promise<TestWebhook> {
    const world = { clock: systemClock, random: systemRandom };
    const authority = await createAuthority(world, { commonName: 'webhooks', key: await generatePrivateKey('ECDSA') });
    const key = await generatePrivateKey('ECDSA');
    const certificate = await issueCertificate(world, authority, servingTemplate('webhook', names), publicKeyOf(key));
    const server = createServer({ cert: certificateToPem(certificate), key: privateKeyToPem(key) });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TestWebhook(server, Buffer.from(certificateToPem(authority.certificate)).toString('base64'));
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

  /** Closes kept connections that are not in use. */
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
