import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Clock, sleep } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import { ConnectionError } from './connection-error.js';
import type { Credentials } from './credentials/credentials.js';
import { LinkedSignal } from './linked-signal.js';
import type { RateLimiter } from './rate-limiter.js';
import { type FailedRequest, statusFromResponse } from './status-from-response.js';
import type { Headers, Transport, TransportResponse, UpgradedConnection } from './transport/transport.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly acceptGzip?: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Description of the request in errors of responses that contain no Status. */
  readonly subject?: Omit<FailedRequest, 'method'>;
}

export interface RequesterDependencies {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly userAgent: string;
  readonly requestTimeoutMs: number;
  readonly rateLimiter?: RateLimiter;
  /** Called with the text of each `Warning` header. */
  readonly onWarning?: (text: string) => void;
}

const attemptsMax = 11;
const retryAfterMsMax = 60_000;
const retryAfterResetMs = 1_000;
const bodyBytesMax = 256 * 1024 * 1024;
const errorBytesMax = 1024 * 1024;
const gunzipAsync = promisify(gunzip);

/** Sends requests like client-go: retries responses that have Retry-After, and reads whose connection broke. */
export class Requester {
  readonly #dependencies: RequesterDependencies;

  constructor(dependencies: RequesterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the whole body of a successful response. */
  async fetch(request: ApiRequest): Promise<Uint8Array> {
    const timeoutMs = request.timeoutMs ?? this.#dependencies.requestTimeoutMs;
    const linked = new LinkedSignal(request.signal);
    const timer = this.#dependencies.clock.setTimer(timeoutMs, () => linked.abort(timedOut(request, timeoutMs)));
    try {
      // Read the body as part of the attempt, so that a GET whose connection breaks while its body is read is retried.
      return await this.#retrying(request, linked.signal, async (response) => {
        const body = await readAll(response.body, bodyBytesMax);
        return response.headers.get('content-encoding') === 'gzip'
          ? await gunzipAsync(body, { maxOutputLength: bodyBytesMax })
          : body;
      });
    } finally {
      timer.cancel();
      linked.release();
    }
  }

  /** Opens a streaming response. The timeout covers only its start. The caller must abort `signal` when it is done. */
  async open(request: ApiRequest & { readonly signal: AbortSignal }): Promise<TransportResponse> {
    const timeoutMs = request.timeoutMs ?? this.#dependencies.requestTimeoutMs;
    const linked = new LinkedSignal(request.signal);
    const timer = this.#dependencies.clock.setTimer(timeoutMs, () => linked.abort(timedOut(request, timeoutMs)));
    try {
      const response = await this.#retrying(request, linked.signal, (answer) => Promise.resolve(answer));
      return { ...response, body: releasing(response.body, linked) };
    } catch (error) {
      linked.release();
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /** Upgrades a connection to another protocol. Aborting the signal closes the connection at any time. */
  async upgrade(
    request: ApiRequest & { readonly upgradeHeaders: Readonly<Record<string, string>> },
  ): Promise<UpgradedConnection> {
    const { credentials, clock, requestTimeoutMs, transport } = this.#dependencies;
    const timeoutMs = request.timeoutMs ?? requestTimeoutMs;
    const linked = new LinkedSignal(request.signal);
    const timer = clock.setTimer(timeoutMs, () => linked.abort(timedOut(request, timeoutMs)));
    try {
      const headers = { ...(await credentials.headers()), ...this.#headers(request), ...request.upgradeHeaders };
      const answer = await transport.upgrade({ ...request, headers, signal: linked.signal });
      if ('status' in answer) throw await this.#refusal(request, answer);
      answer.socket.once('close', () => linked.release());
      return answer;
    } catch (error) {
      linked.release();
      throw error;
    } finally {
      timer.cancel();
    }
  }

  async #retrying<R>(
    request: ApiRequest,
    signal: AbortSignal,
    use: (response: TransportResponse) => Promise<R>,
  ): Promise<R> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request, signal, use);
      } catch (error) {
        signal.throwIfAborted();
        const delayMs = attempt < attemptsMax ? retryDelayMs(request, error) : undefined;
        if (delayMs === undefined) throw error instanceof Retryable ? error.status : error;
        await sleep(this.#dependencies.clock, delayMs, { signal });
      }
    }
  }

  async #attempt<R>(
    request: ApiRequest,
    signal: AbortSignal,
    use: (response: TransportResponse) => Promise<R>,
  ): Promise<R> {
    const { transport, credentials, rateLimiter } = this.#dependencies;
    await rateLimiter?.take(signal);
    const headers = { ...(await credentials.headers()), ...this.#headers(request) };
    const response = await transport.send({ ...request, headers, signal });
    this.#reportWarnings(response);
    if (response.status >= 200 && response.status < 300) return use(response);
    const status = await this.#refusal(request, response);
    const retryAfter = retryAfterSeconds(response);
    if (retryAfter !== undefined && (response.status === 429 || response.status >= 500))
      throw new Retryable(status, retryAfter);
    throw status;
  }

  async #refusal(request: ApiRequest, response: TransportResponse): Promise<StatusError> {
    if (response.status === 401) this.#dependencies.credentials.refused();
    if (response.status < 300)
      return new ConnectionError('protocol', 'the server did not switch to the requested protocol');
    const body = await readAll(response.body, errorBytesMax);
    const failed = { method: request.method, ...request.subject };
    return statusFromResponse(response.status, body, failed, retryAfterSeconds(response));
  }

  #headers(request: ApiRequest): Headers {
    return {
      accept: request.accept ?? 'application/json',
      'user-agent': this.#dependencies.userAgent,
      ...(request.acceptGzip === true ? { 'accept-encoding': 'gzip' } : {}),
      ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
    };
  }

  #reportWarnings(response: TransportResponse): void {
    const warning = response.headers.get('warning');
    if (warning === undefined || this.#dependencies.onWarning === undefined) return;
    for (const [, text = ''] of warning.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      this.#dependencies.onWarning(text.replaceAll(/\\(.)/g, '$1'));
    }
  }
}

class Retryable extends Error {
  constructor(
    readonly status: StatusError,
    readonly afterSeconds: number,
  ) {
    super(status.message);
  }
}

/**
 * Returns the delay before a retry, or undefined if the request must not be retried. A conflict is not retried, because only the
 * caller can handle it.
 */
function retryDelayMs(request: ApiRequest, error: unknown): number | undefined {
  if (error instanceof Retryable) return Math.min(error.afterSeconds * 1000, retryAfterMsMax);
  if (!(error instanceof ConnectionError)) return undefined;
  if (error.failure === 'closed' && error.unsent) return 0;
  return error.failure === 'reset' && request.method === 'GET' ? retryAfterResetMs : undefined;
}

function retryAfterSeconds(response: TransportResponse): number | undefined {
  const text = response.headers.get('retry-after');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function timedOut(request: ApiRequest, timeoutMs: number): ConnectionError {
  return new ConnectionError('timeout', `${request.method} ${request.path} timed out after ${timeoutMs / 1000} s`);
}

async function readAll(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bytesMax) throw new ConnectionError('protocol', `the response is longer than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

async function* releasing(body: AsyncIterable<Uint8Array>, linked: LinkedSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    linked.release();
  }
}
