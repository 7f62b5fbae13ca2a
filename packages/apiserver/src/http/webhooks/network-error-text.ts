interface NetworkError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
]);

const connectFailures = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['ETIMEDOUT', 'i/o timeout'],
  ['EACCES', 'connect: permission denied'],
]);

/** Returns a network error in the wording of Go's standard library, which users search for and tools match. */
export function networkErrorText(error: unknown): string {
  const failure = firstOf(error);
  const code = failure.code ?? '';
  const connecting = connectFailures.get(code);
  if (connecting !== undefined) return `dial tcp ${addressOf(failure)}: ${connecting}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${failure.hostname ?? ''}: no such host`;
  return certificateText(failure, code) ?? streamText(failure, code);
}

/** Returns the first error of a host with several addresses, which fails with one error per address. */
function firstOf(error: unknown): NetworkError {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0] as NetworkError;
  return error instanceof Error ? error : new Error(String(error));
}

function addressOf(error: NetworkError): string {
  const address = error.address ?? '';
  return `${address.includes(':') ? `[${address}]` : address}:${error.port ?? 0}`;
}

function certificateText(error: NetworkError, code: string): string | undefined {
  const prefix = 'tls: failed to verify certificate: x509: certificate';
  if (unknownAuthority.has(code)) return `${prefix} signed by unknown authority`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return `${prefix} has expired or is not yet valid`;
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  const names = (error.cert?.subjectaltname ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  return `${prefix} is valid for ${names.join(', ')}, not ${error.host ?? ''}`;
}

function streamText(error: NetworkError, code: string): string {
  if (code === 'EPROTO' && /wrong version number|packet length too long/i.test(error.message))
    return 'http: server gave HTTP response to HTTPS client';
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  if (code === 'ECONNRESET') return error.message === 'socket hang up' ? 'EOF' : 'read: connection reset by peer';
  if (code === 'EPIPE') return 'write: broken pipe';
  return error.message;
}
