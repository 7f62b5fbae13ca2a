import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpRequest, type HttpResponse, type Logger, webSocketAccept } from '@slipway/base';
import { badRequest } from '@slipway/kube';
import type { ApiHandler } from '../api-handler.js';
import { bodyLength } from '../respond.js';
import { channelProtocol, forwardByChannels } from './channel-forward.js';
import type { PortForwarder } from './port-forwarder.js';
import { serveSpdyForward, spdyProtocol, spdyStreamProtocol, spdyTunnelProtocol } from './spdy-forward.js';
import { WebSocketPeer } from './websocket-peer.js';
import { WebSocketStream } from './websocket-stream.js';

export interface UpgradeOptions {
  readonly handler: ApiHandler;
  readonly forwarder: PortForwarder | undefined;
  readonly logger: Logger;
}

/** Serves upgrade requests: port forwarding over SPDY, WebSocket channels or SPDY tunnelled in WebSocket. */
export async function serveUpgrade(
  message: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  request: HttpRequest,
  options: UpgradeOptions,
): Promise<void> {
  const admitted = await options.handler.admitForward(request, options.forwarder !== undefined);
  if ('refusal' in admitted) {
    refuse(message, socket, admitted.refusal);
    return;
  }
  socket.once('close', admitted.ended);
  const { forwarder } = options;
  if (forwarder === undefined) return;
  const target = { pod: admitted.pod, forwarder };
  const protocol = protocolOf(message);
  if (protocol === undefined) {
    refuse(message, socket, options.handler.refuse(request, badRequest(noProtocol)));
    return;
  }
  if (protocol === spdyProtocol) {
    socket.write(switchingProtocols({ Upgrade: spdyProtocol, 'X-Stream-Protocol-Version': spdyStreamProtocol }));
    if (head.length > 0) socket.unshift(head);
    serveSpdyForward(socket, target, options.logger);
    return;
  }
  const peer = new WebSocketPeer(socket);
  const key = message.headers['sec-websocket-key'] ?? '';
  const accepted = { 'Sec-WebSocket-Accept': webSocketAccept(key), 'Sec-WebSocket-Protocol': protocol };
  socket.write(switchingProtocols({ Upgrade: 'websocket', ...accepted }));
  if (protocol === channelProtocol) await forwardByChannels(peer, admitted.ports, target);
  else serveSpdyForward(new WebSocketStream(peer), target, options.logger);
  peer.start(head);
}

const noProtocol =
  'unable to upgrade: the request must use SPDY/3.1, or a WebSocket with one of the protocols v4.channel.k8s.io and SPDY/3.1+portforward.k8s.io';

/** Returns the requested protocol, or undefined if it is not supported. */
function protocolOf({ headers }: IncomingMessage): string | undefined {
  const upgrade = (headers.upgrade ?? '').toLowerCase();
  if (upgrade === spdyProtocol.toLowerCase()) return spdyProtocol;
  if (upgrade !== 'websocket' || headers['sec-websocket-key'] === undefined) return undefined;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name === spdyTunnelProtocol || name === channelProtocol);
}

function switchingProtocols(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Connection: 'Upgrade', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`;
}

/** Sends an ordinary HTTP response and closes the connection. */
function refuse(message: IncomingMessage, socket: Duplex, { status, headers, body }: HttpResponse): void {
  const response = new ServerResponse(message);
  socket.on('error', () => socket.destroy());
  response.assignSocket(socket as never);
  const bytes = body === undefined || typeof body === 'function' ? undefined : body;
  response.writeHead(status, {
    ...headers,
    connection: 'close',
    'content-length': String(bytes === undefined ? 0 : bodyLength(bytes)),
  });
  response.on('finish', () => socket.end());
  response.end(bytes === undefined || Buffer.isBuffer(bytes) ? bytes : Buffer.concat([...bytes]));
}
