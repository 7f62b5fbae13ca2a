import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, listenOn, type Logger, type Timer } from '@slipway/base';
import {
  badRequest,
  type JsonObject,
  JsonError,
  type MutableJsonObject,
  parseJsonValue,
  StatusError,
  stringifyJson,
} from '@slipway/kube';
import { parseAddress } from '../diagnostics/index.js';
import type { AdmissionHandler, BatchConversionHandler, ConversionHandler } from './admission.js';
import { conversionPath } from './admission.js';
import type { CertificateSource, ServingCertificate } from './certificates.js';
import { reviewAdmission, reviewConversion, reviewConversions } from './review.js';

export interface WebhookServerOptions {
  readonly address: string;
  readonly certificates: CertificateSource;
  /** Minimum TLS version. Defaults to 1.2. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Called with the CA bundle at the start and at every certificate check, to write it into webhook configurations. They may have
   * been created or changed since the last check.
   */
  readonly onCaBundle?: (caBundlePem: string) => Promise<void>;
  /** Interval of certificate checks in milliseconds. */
  readonly checkMs?: number;
  readonly bodyBytesMax?: number;
}

type Answer = (body: MutableJsonObject) => JsonObject | Promise<JsonObject>;

const checkMsDefault = 60_000;
/**
 * Keep-alive timeout. kube-apiserver closes connections after 90 s idle, and a request on a connection that the server closes
 * fails, so the client must be the first to close.
 */
const keepAliveMs = 120_000;
const stopMs = 5_000;
// Request size limit. A conversion request contains a whole list.
const bodyBytesMaxDefault = 64 * 1024 * 1024;

/** Serves admission and conversion over TLS. The certificate is replaced without a restart. */
export class WebhookServer {
  readonly #options: WebhookServerOptions;
  readonly #routes = new Map<string, Answer>();
  #server: Server | undefined;
  #serving: ServingCertificate | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: WebhookServerOptions) {
    this.#options = options;
  }

  get port(): number {
    return (this.#server?.address() as AddressInfo | null)?.port ?? 0;
  }

  validate(path: string, handler: AdmissionHandler): this {
    return this.#route(path, (body) => reviewAdmission(body, handler, { mutating: false }));
  }

  mutate(path: string, handler: AdmissionHandler): this {
    return this.#route(path, (body) => reviewAdmission(body, handler, { mutating: true }));
  }

  convert(handler: ConversionHandler, path: string = conversionPath): this {
    return this.#route(path, (body) => reviewConversion(body, handler));
  }

  /** Registers a conversion handler that converts all objects of a review in one call, or asynchronously. */
  convertAll(handler: BatchConversionHandler, path: string = conversionPath): this {
    return this.#route(path, (body) => reviewConversions(body, handler));
  }

  async start(): Promise<void> {
    const { host, port } = parseAddress(this.#options.address);
    const serving = await this.#options.certificates.current();
    this.#serving = serving;
    const server = createServer(
      { cert: serving.cert, key: serving.key, minVersion: this.#minVersion, keepAliveTimeout: keepAliveMs },
      (request, response) => {
        void this.#serve(request, response);
      },
    );
    this.#server = server;
    const { logger } = this.#options;
    await listenOn(server, { port, ...(host !== undefined && { host }) }, (error) =>
      logger.error({ err: error }, 'Failed to accept connection'),
    );
    // Publish the CA bundle only after the server accepts connections.
    await this.#announce(serving);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    const server = this.#server;
    if (server === undefined) return;
    // Close the connections after a while: a hanging handler must not block the stop.
    const timer = this.#options.clock.setTimer(stopMs, () => server.closeAllConnections());
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    timer.cancel();
  }

  get #minVersion(): 'TLSv1.2' | 'TLSv1.3' {
    return this.#options.minVersion ?? 'TLSv1.2';
  }

  /** Checks whether the certificate must be renewed, replaces it and publishes the new bundle. */
  async rotate(): Promise<void> {
    const next = await this.#options.certificates.current();
    // Publish the bundle first: it still contains the old CA, so that both certificates are trusted.
    await this.#announce(next);
    if (next.cert === this.#serving?.cert) return;
    this.#serving = next;
    this.#server?.setSecureContext({ cert: next.cert, key: next.key, minVersion: this.#minVersion });
  }

  #route(path: string, answer: Answer): this {
    if (this.#routes.has(path)) throw new Error(`a webhook is registered at ${path} already`);
    this.#routes.set(path, answer);
    return this;
  }

  async #announce({ caBundle }: ServingCertificate): Promise<void> {
    if (caBundle !== '') await this.#options.onCaBundle?.(caBundle);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = this.#options.clock.setTimer(this.#options.checkMs ?? checkMsDefault, () => {
      this.rotate()
        .catch((error: unknown) => this.#options.logger.error({ err: error }, 'Failed to renew webhook certificate'))
        .finally(() => this.#schedule());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const path = new URL(request.url ?? '/', 'https://localhost').pathname;
      const answer = this.#routes.get(path);
      if (answer === undefined) send(response, 404, { message: 'no webhook is registered at this path' });
      else if (request.method !== 'POST') send(response, 405, { message: 'only POST is supported' });
      else send(response, 200, await answer(await this.#body(request)));
    } catch (error) {
      const code = error instanceof StatusError ? error.code : 500;
      if (code === 500) this.#options.logger.error({ err: error }, 'Webhook failed');
      send(response, code, { message: error instanceof Error ? error.message : 'internal error' });
    } finally {
      request.resume();
    }
  }

  async #body(request: IncomingMessage): Promise<MutableJsonObject> {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
    if (type !== 'application/json') throw badRequest(`contentType=${type}, expected application/json`);
    const limit = this.#options.bodyBytesMax ?? bodyBytesMaxDefault;
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
    return decodeBody(Buffer.concat(chunks));
  }
}

function tooLarge(limit: number): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `the body is larger than ${limit} bytes`,
  });
}

function decodeBody(bytes: Buffer): MutableJsonObject {
  try {
    const value = parseJsonValue(bytes);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as MutableJsonObject;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw badRequest(`the body is not JSON: ${error.message}`);
  }
  throw badRequest('the body is not a JSON object');
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(stringifyJson(body));
}
