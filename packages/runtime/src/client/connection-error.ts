import { StatusError } from '@slipway/kube';

export type ConnectionFailure = 'unreachable' | 'reset' | 'timeout' | 'tls' | 'protocol' | 'closed';

/**
 * The request could not be sent, or its response was lost. It is a StatusError, so that callers handle all failures alike.
 * `failure` says what happened.
 */
export class ConnectionError extends StatusError {
  readonly failure: ConnectionFailure;
  /** Whether the server cannot have processed the request. If so, retrying is safe for every verb. */
  readonly unsent: boolean;

  constructor(failure: ConnectionFailure, message: string, options: { unsent?: boolean; cause?: unknown } = {}) {
    super(
      failure === 'timeout'
        ? { code: 504, reason: 'Timeout', message }
        : { code: 503, reason: 'ServiceUnavailable', message },
    );
    this.name = 'ConnectionError';
    this.failure = failure;
    this.unsent = options.unsent ?? false;
    if (options.cause !== undefined) this.cause = options.cause;
  }
}

const resetCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
const unsentCodes = new Set(['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_OUT_OF_STREAMS']);
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

/** Converts Node's connection errors into ConnectionErrors. */
export function toConnectionError(error: unknown, server: string): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  if (unsentCodes.has(code) || /NGHTTP2_REFUSED_STREAM/.test(text))
    return new ConnectionError('closed', `${server} does not accept more requests on this connection`, {
      unsent: true,
      cause: error,
    });
  if (unreachableCodes.has(code))
    return new ConnectionError('unreachable', `cannot reach ${server}: ${text}`, { unsent: true, cause: error });
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code))
    return new ConnectionError('tls', `TLS connection to ${server} failed: ${text}`, { unsent: true, cause: error });
  if (resetCodes.has(code) || code.startsWith('ERR_HTTP2_') || /socket hang up|aborted|premature close/i.test(text))
    return new ConnectionError('reset', `the connection to ${server} was lost: ${text}`, { cause: error });
  return new ConnectionError('protocol', `request to ${server} failed: ${text}`, { cause: error });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
