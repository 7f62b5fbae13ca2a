import type { Duplex } from 'node:stream';
import { type Random, webSocketAccept } from '@slipway/base';
import { ConnectionError } from './connection-error.js';
import { portForwardProtocol, PortForwardStream } from './port-forward-stream.js';
import type { ApiRequest, Requester } from './requester.js';

/** Asks the API server for a way to a port of a Pod. The kubelet's own protocol, which the API server passes through. */
export async function openPortForward(
  requester: Requester,
  random: Random,
  request: Pick<ApiRequest, 'path' | 'subject' | 'signal'>,
): Promise<Duplex> {
  const key = Buffer.from(random.bytes(16)).toString('base64');
  const { socket, head, headers } = await requester.upgrade({
    ...request,
    method: 'GET',
    // A kubelet answers 406 to whoever insists on a type: it has nothing to show but the stream.
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
    throw new ConnectionError('protocol', `the server does not forward ports by ${portForwardProtocol}`);
  }
  const stream = new PortForwardStream(socket, head, { random, what: `forwarding ${request.path}` });
  const { signal } = request;
  // An error that comes before anybody listens must not end the process; who reads or writes gets it all the same.
  stream.on('error', () => undefined);
  const abort = (): void => void stream.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  stream.once('close', () => signal?.removeEventListener('abort', abort));
  return stream;
}
