import type { BodySink, BodyStream, HttpRequest, HttpResponse } from '@slipway/base';
import { ConnectionError, type Transport, type TransportRequest, type TransportResponse } from '@slipway/runtime';

export interface HandlerTransportOptions {
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>;
  /** Client certificate in DER. Without it, authentication uses the request headers. */
  readonly clientCertificate?: Uint8Array;
}

/**
 * Transport to an API server in the same process. Requests are authenticated and authorized as if they came over the
 * network.
 */
export class HandlerTransport implements Transport {
  readonly #closing = new AbortController();

  constructor(private readonly options: HandlerTransportOptions) {}

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { method, path, headers, body = '', signal } = request;
    const gone = AbortSignal.any([signal, this.#closing.signal]);
    gone.throwIfAborted();
    const bytes = Buffer.from(body);
    const response = await this.options.handle({
      method,
      url: path,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      remoteAddress: '127.0.0.1',
      clientCertificate: this.options.clientCertificate,
      readBody: (bytesMax) => Promise.resolve(bytes.length > bytesMax ? undefined : bytes),
      onClose: (callback) => gone.addEventListener('abort', callback, { once: true }),
    });
    const flat = Object.entries(response.headers).map(([name, value]): [string, string] => [
      name.toLowerCase(),
      typeof value === 'string' ? value : value.join(', '),
    ]);
    return { status: response.status, headers: new Map(flat), body: bodyOf(response.body, gone) };
  }

  upgrade(request: TransportRequest): Promise<TransportResponse> {
    return this.send(request);
  }

  close(): void {
    this.#closing.abort(new ConnectionError('closed', 'the connection was closed'));
  }
}

async function* bodyOf(body: HttpResponse['body'], gone: AbortSignal): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (typeof body === 'function') yield* streamed(body, gone);
  else yield* Buffer.isBuffer(body) ? [body] : body;
}

/** Yields the body one chunk at a time: the server writes the next chunk after the reader has taken this one. */
async function* streamed(body: BodyStream, gone: AbortSignal): AsyncGenerator<Uint8Array> {
  const pipe = new Pipe(gone);
  const ended = body(pipe).finally(() => pipe.end());
  // `await ended` below passes the error to the reader. This handler only prevents an unhandled rejection before that.
  ended.catch(() => undefined);
  try {
    for (let chunk = await pipe.take(); chunk !== undefined; chunk = await pipe.take()) yield chunk;
    gone.throwIfAborted();
    await ended;
  } finally {
    pipe.end();
  }
}

class Pipe implements BodySink {
  #chunk: { readonly bytes: Buffer; readonly taken: (isOpen: boolean) => void } | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;
  readonly #onEnd: (() => void)[] = [];

  constructor(gone: AbortSignal) {
    gone.addEventListener('abort', () => this.end(), { once: true });
    if (gone.aborted) this.end();
  }

  write(bytes: Buffer): boolean | Promise<boolean> {
    if (this.#isOver) return false;
    return new Promise((taken) => {
      this.#chunk = { bytes, taken };
      this.#wake?.();
    });
  }

  onClose(callback: () => void): void {
    if (this.#isOver) callback();
    else this.#onEnd.push(callback);
  }

  async take(): Promise<Buffer | undefined> {
    while (this.#chunk === undefined && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunk;
    this.#chunk = undefined;
    chunk?.taken(true);
    return chunk?.bytes;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#chunk?.taken(false);
    this.#wake?.();
    for (const callback of this.#onEnd.splice(0)) callback();
  }
}
