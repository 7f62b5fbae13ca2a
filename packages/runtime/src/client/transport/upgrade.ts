import { type IncomingMessage, request as requestHttp } from 'node:http';
import type { Socket } from 'node:net';
import { toConnectionError } from '../connection-error.js';
import { copyHeaders, type TransportRequest, type TransportResponse, type UpgradedConnection } from './transport.js';

/** Sends a request on a dedicated connection and returns the connection when the server switches the protocol. */
export function requestUpgrade(
  socket: Socket,
  server: URL,
  request: TransportRequest,
): Promise<UpgradedConnection | TransportResponse> {
  return new Promise((resolve, reject) => {
    const call = requestHttp({
      createConnection: () => socket,
      host: server.hostname,
      method: request.method,
      path: request.path,
      headers: { ...copyHeaders(request.headers), host: server.host },
    });
    const abort = (): void => void socket.destroy();
    if (request.signal.aborted) abort();
    else request.signal.addEventListener('abort', abort, { once: true });
    socket.once('close', () => request.signal.removeEventListener('abort', abort));
    call.on('error', (error) =>
      reject(request.signal.aborted ? (request.signal.reason as Error) : toConnectionError(error, server.origin)),
    );
    call.once('upgrade', (response, _socket, head) => resolve({ headers: headersOf(response), socket, head }));
    call.once('response', (response) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        body: bodyOf(response, socket, server),
      }),
    );
    call.end();
  });
}

function headersOf(response: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Yields the body of a response without upgrade, then closes the connection, which serves only this request. */
async function* bodyOf(response: IncomingMessage, socket: Socket, server: URL): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    throw toConnectionError(error, server.origin);
  } finally {
    socket.destroy();
  }
}
