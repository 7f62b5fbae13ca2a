import type { Duplex } from 'node:stream';
import { type Random, webSocketAccept } from '@slipway/base';
import { ConnectionError } from './connection-error.js';
import { portForwardProtocol, PortForwardStream } from './port-forward-stream.js';
import type { ApiRequest, Requester } from './requester.js';

/** Opens a stream to a port of a Pod through the API server, which proxies the protocol of the kubelet. */
export async function openPortForward(
  requester: Requester,
  random: Random,
  request: Pick<ApiRequest, 'path' | 'subject' | 'signal'>,
): Promise<Duplex> {
  const key = Buffer.from(random.bytes(16)).toString('base64');
  const { socket, head, headers } = await requester.upgrade({
    ...request,
    method: 'GET',
    // A kubelet returns 406 for a more specific Accept header, because the stream has no content type.
    accept: '*/*',
    upgradeHeaders: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
      'sec-websocket-protocol': portForwardProtocol,
    },
  });
  const isAgreed =
    headers.get('sec-websocket-accept') === webSocketAccept(key) &&
    headers.get('sec-websocket-protocol') === portForwardProtocol;
  if (!isAgreed) {
    socket.destroy();
    throw new ConnectionError('protocol', `the server does not support port forwarding with ${portForwardProtocol}`);
  }
  const stream = new PortForwardStream(socket, head, { random, subject: `forwarding ${request.path}` });
  const { signal } = request;
  // Add a listener, because an error before any other listener exists would end the process. Readers and writers still receive
  // the error.
  stream.on('error', () => undefined);
  const abort = (): void => void stream.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  stream.once('close', () => signal?.removeEventListener('abort', abort));
  return stream;
}
