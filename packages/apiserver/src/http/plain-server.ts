import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, type HttpRequest, type HttpResponse, listenOn, type Logger } from '@slipway/base';
import { FlowControl } from './flow-control/flow-control.js';
import { http1Request, sendHttp1 } from './http1-transport.js';

export interface PlainServerOptions {
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** HTTP server without TLS, for pages that are served to this host only. */
export class PlainServer {
  readonly #server: Server;
  readonly #logger: Logger;

  constructor({ handle, clock, logger }: PlainServerOptions) {
    this.#logger = logger;
    const flows = new FlowControl(clock);
    this.#server = createServer((message, response) => {
      response.on('error', () => undefined);
      const connection = {
        remoteAddress: message.socket.remoteAddress ?? '',
        clientCertificate: () => undefined,
        clientIntermediates: () => [],
        turn: () => Promise.resolve(),
      };
      flows
        .serveMounted(http1Request(message, response, connection), handle)
        .then((answer) => sendHttp1(response, answer, clock))
        .catch((error: unknown) => {
          logger.debug({ err: error }, 'Failed to complete the response');
          response.destroy();
        });
    });
  }

  /** Port 0 selects a free port. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    const onError = (error: Error): void => this.#logger.error({ err: error }, 'Failed to accept connection');
    return listenOn(this.#server, { port, host }, onError);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
