import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, type HttpRequest, type HttpResponse, listenOn, type Logger } from '@slipway/base';
import { http1Request, sendHttp1 } from './http1-transport.js';

export interface PlainServerOptions {
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without TLS: for pages that never leave this machine. */
export class PlainServer {
  readonly #server: Server;
  readonly #logger: Logger;

  constructor({ handle, clock, logger }: PlainServerOptions) {
    this.#logger = logger;
    this.#server = createServer((message, response) => {
      response.on('error', () => undefined);
      const connection = { remoteAddress: message.socket.remoteAddress ?? '', clientCertificate: () => undefined };
      handle(http1Request(message, response, connection))
        .then((answer) => sendHttp1(response, answer, clock))
        .catch((error: unknown) => {
          logger.debug({ err: error }, 'Response could not be completed');
          response.destroy();
        });
    });
  }

  /** Port 0 chooses a free one. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    const told = (error: Error): void => this.#logger.error({ err: error }, 'Connection could not be accepted');
    return listenOn(this.#server, { port, host }, told);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
