import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { type Clock, type Disposable, tlsTrust } from '@slipway/base';
import { type MutableJson, parseJsonValue, stringifyJson } from '@slipway/kube';
import { answerErrorText } from './answer-error-text.js';
import { type ClientConfig, type Destination, destinationOf } from './client-config.js';
import { networkErrorText } from './network-error-text.js';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Resolves a cluster service to a reachable address. Throws an error with the reason if there is none. */
export type ServiceResolver = (
  namespace: string,
  name: string,
  port: number,
) => ServiceAddress | Promise<ServiceAddress>;

export interface WebhookClientOptions {
  readonly clock: Clock;
  readonly resolveService: ServiceResolver;
}

export interface WebhookCall {
  readonly config: ClientConfig;
  readonly body: unknown;
  /** Timeout of the call, sent to the webhook rounded up to seconds. */
  readonly timeoutMs: number;
  /** Whether to send the timeout in the URL. Upstream does not do so for conversion. */
  readonly announceTimeout?: boolean;
  readonly signal?: AbortSignal;
}

/** The failure of a webhook call. `message` is upstream's text after `failed to call webhook: `. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  /** Whether the caller aborted the call. */
  readonly cancelled: boolean;

  constructor(message: string, cancelled = false) {
    super(message);
    this.cancelled = cancelled;
  }
}

const agentsMax = 128;
/** Maximum size of a response: this base plus `answerBytesFactor` times the size of the request. */
const answerBytesBase = 8 * 1024 * 1024;
const answerBytesFactor = 4;

/** Calls webhooks over TLS with keep-alive connections. Sends no credentials, follows no redirects, uses no proxy. */
export class WebhookClient implements Disposable {
  readonly #options: WebhookClientOptions;
  /** Agents, least recently used first. The first one is evicted. */
  readonly #agents = new Map<string, Agent>();

  constructor(options: WebhookClientOptions) {
    this.#options = options;
  }

  /** Posts the body as JSON and returns the JSON of a successful response. Throws WebhookCallError. */
  async post(call: WebhookCall): Promise<MutableJson> {
    const destination = tryDestination(call.config);
    const url = urlText(destination, call);
    const payload = Buffer.from(stringifyJson(call.body));
    const deadline = new AbortController();
    const timer = this.#options.clock.setTimer(call.timeoutMs, () => deadline.abort(new Error(deadlineText)));
    const signal = call.signal === undefined ? deadline.signal : AbortSignal.any([call.signal, deadline.signal]);
    try {
      const answer = await this.#exchange(destination, call, payload, signal);
      return decodeAnswer(answer);
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      const cancelled = call.signal?.aborted === true;
      const text = cancelled ? 'context canceled' : deadline.signal.aborted ? deadlineText : networkErrorText(error);
      throw new WebhookCallError(`Post "${url}": ${text}`, cancelled);
    } finally {
      timer.cancel();
    }
  }

  dispose(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #exchange(
    destination: Destination,
    call: WebhookCall,
    payload: Buffer,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    signal.throwIfAborted();
    const address = await abortable(this.#addressOf(destination), signal);
    const attempt = (): Promise<WebhookAnswer> => this.#send(destination, address, call, payload, signal);
    // The peer may close an idle keep-alive connection just when it is reused. In that case the request was not
    // handled. Each retry uses up one such connection, so the number of retries is bounded by the pool size.
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        if (signal.aborted) throw error.cause;
      }
    }
  }

  async #addressOf(destination: Destination): Promise<ServiceAddress> {
    const { service, host, port } = destination;
    return service === undefined ? { host, port } : this.#options.resolveService(service.namespace, service.name, port);
  }

  #send(
    destination: Destination,
    address: ServiceAddress,
    call: WebhookCall,
    payload: Buffer,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        agent: this.#agentFor(destination, address),
        host: address.host,
        port: address.port,
        method: 'POST',
        path: `${destination.path}${timeoutQuery(call)}`,
        headers: {
          host: destination.authority,
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'content-length': payload.byteLength,
          'user-agent': 'kube-apiserver-admission',
        },
        signal,
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection(error) : error),
      );
      request.on('response', (response) => {
        readAnswer(response, answerBytesBase + answerBytesFactor * payload.byteLength).then(
          resolve,
          (error: unknown) => {
            request.destroy();
            reject(error as Error);
          },
        );
      });
      request.end(payload);
    });
  }

  #agentFor(destination: Destination, address: ServiceAddress): Agent {
    const key = JSON.stringify([address.host, address.port, destination.serverName, destination.certificates]);
    const cached = this.#agents.get(key);
    if (cached !== undefined) {
      this.#agents.delete(key);
      this.#agents.set(key, cached);
      return cached;
    }
    const agent = new Agent({
      keepAlive: true,
      maxFreeSockets: 25,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      ...(destination.serverName === '' ? {} : { servername: destination.serverName }),
      ...tlsTrust(destination.certificates),
    });
    this.#agents.set(key, agent);
    this.#trimAgents();
    return agent;
  }

  #trimAgents(): void {
    if (this.#agents.size <= agentsMax) return;
    const [oldest] = this.#agents;
    if (oldest === undefined) return;
    this.#agents.delete(oldest[0]);
    oldest[1].destroy();
  }
}

const deadlineText = 'context deadline exceeded';

class StaleConnection extends Error {
  override readonly name = 'StaleConnection';

  constructor(override readonly cause: Error) {
    super(cause.message);
  }
}

interface WebhookAnswer {
  readonly code: number;
  readonly body: Buffer;
}

function tryDestination(config: ClientConfig): Destination {
  try {
    return destinationOf(config);
  } catch (error) {
    throw new WebhookCallError(error instanceof Error ? error.message : String(error));
  }
}

function timeoutQuery(call: WebhookCall): string {
  return call.announceTimeout === false ? '' : `?timeout=${Math.ceil(call.timeoutMs / 1000)}s`;
}

function urlText(destination: Destination, call: WebhookCall): string {
  return `https://${destination.authority}${destination.path}${timeoutQuery(call)}`;
}

/** Rejects as soon as the signal fires. The awaited operation continues and its result is ignored. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<WebhookAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error(`response body is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return { code: response.statusCode ?? 0, body: Buffer.concat(chunks) };
}

function decodeAnswer({ code, body }: WebhookAnswer): MutableJson {
  if (code < 200 || code > 206) throw new WebhookCallError(answerErrorText(code, body, tryParse(body)));
  try {
    return parseJsonValue(body);
  } catch (error) {
    throw new WebhookCallError(
      `couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function tryParse(body: Buffer): unknown {
  try {
    return parseJsonValue(body);
  } catch {
    return undefined;
  }
}
