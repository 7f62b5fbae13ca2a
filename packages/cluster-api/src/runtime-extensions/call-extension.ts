import type { Clock } from '@slipway/base';
import { type JsonObject, parseJsonValue, stringifyJson, type JsonValue } from '@slipway/kube';
import { ExtensionError } from './extension-error.js';
import { type ClientConfig, extensionUrl } from './extension-url.js';
import type { ObserveExtension } from './extension-metrics.js';
import type { ExtensionTransport } from './https-transport.js';
import { hooksApiVersion, type RuntimeHook } from './runtime-hooks.js';

export interface ExtensionDependencies {
  readonly clock: Clock;
  readonly transport: ExtensionTransport;
  readonly observe: ObserveExtension;
}

export interface CallInput {
  readonly config: ClientConfig;
  readonly hook: RuntimeHook;
  readonly handler?: string;
  readonly request: JsonObject;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

const excerptLength = 512;

/**
 * Sends one request to an extension. Every transport failure becomes a `CallFailed`. The status in the response is not checked
 * here.
 */
export async function callExtension(
  { clock, transport, observe }: ExtensionDependencies,
  input: CallInput,
): Promise<JsonObject> {
  const { config, hook, handler, timeoutSeconds } = input;
  const url = extensionUrl(config, hook, handler);
  url.searchParams.set('timeout', `${timeoutSeconds}s`);
  const body = stringifyJson({ ...input.request, apiVersion: hooksApiVersion, kind: `${hook}Request` });
  const authority =
    config.caBundle === undefined ? {} : { authority: Buffer.from(config.caBundle, 'base64').toString() };
  const deadline = new AbortController();
  const timer = clock.setTimer(timeoutSeconds * 1_000, () => deadline.abort(new Error('http request timeout expired')));
  const stop = (): void => deadline.abort(input.signal.reason);
  input.signal.addEventListener('abort', stop, { once: true });
  const startedAt = clock.monotonic();
  let code: number | undefined;
  let status: string | undefined;
  try {
    input.signal.throwIfAborted();
    const reply = await transport({ url, body, ...authority, signal: deadline.signal });
    code = reply.status;
    if (reply.status !== 200) {
      const excerpt = reply.body.length > excerptLength ? `${reply.body.slice(0, excerptLength)}...` : reply.body;
      throw new Error(`got response with status code ${reply.status} != 200: response : ${JSON.stringify(excerpt)}`);
    }
    const response = objectOf(parseJsonValue(reply.body));
    if (typeof response['status'] === 'string') status = response['status'];
    return response;
  } catch (error) {
    const cause: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ExtensionError('CallFailed', `http call failed: ${message}`, error);
  } finally {
    timer.cancel();
    observe({ hook, host: url.host, seconds: (clock.monotonic() - startedAt) / 1_000, code, status });
    input.signal.removeEventListener('abort', stop);
  }
}

function objectOf(value: JsonValue): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error('failed to decode response: not a JSON object');
}

/** Throws unless the extension reports Success. */
export function checkStatus(response: JsonObject, action: string, target: string): void {
  const { status, message } = response;
  if (status === 'Success') return;
  const text = typeof message === 'string' ? message : '';
  const what =
    status === 'Failure'
      ? `got failure response with message: ${text}`
      : `got unknown response status ${JSON.stringify(status ?? '')} with message: ${text}`;
  throw new ExtensionError('FailureResponse', `failed to ${action} "${target}": ${what}`);
}
