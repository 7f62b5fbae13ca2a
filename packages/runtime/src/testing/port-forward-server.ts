import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { encodeWebSocketFrame, webSocketAccept, WebSocketDecoder, webSocketOpcodes } from '@slipway/base';

/** Serves port forwarding like a kubelet, for tests. Attach it to the `upgrade` event of a server. */
export function servePortForward(
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  socket: Duplex,
  options: { readonly portOf: (requested: number) => number; readonly protocol?: string },
): void {
  // Reject other Accept headers like a kubelet: the stream has no negotiable content type.
  if (request.headers['accept'] !== '*/*') {
    const text = '406: Not Acceptable\n\nAvailable representations: ';
    const lines = ['HTTP/1.1 406 Not Acceptable', 'Content-Type: text/plain', `Content-Length: ${text.length}`];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
    return;
  }
  const key = request.headers['sec-websocket-key'] ?? '';
  const query = new URL(request.url ?? '', 'http://localhost').searchParams;
  const requested = Number(query.get('port') ?? query.get('ports'));
  const send = (channel: number, bytes: Uint8Array): boolean =>
    socket.write(encodeWebSocketFrame(webSocketOpcodes.binary, Buffer.concat([Buffer.from([channel]), bytes])));
  const answer = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${webSocketAccept(key)}`,
    `Sec-WebSocket-Protocol: ${options.protocol ?? 'v4.channel.k8s.io'}`,
  ];
  socket.write(`${answer.join('\r\n')}\r\n\r\n`);
  const port = Buffer.alloc(2);
  port.writeUInt16LE(requested);
  send(0, port);
  send(1, port);
  const target = connect({ host: '127.0.0.1', port: options.portOf(requested) });
  const decoder = new WebSocketDecoder({ payloadBytesMax: 1024 * 1024 });
  socket.on('data', (chunk: Buffer) => {
    for (const { opcode, payload } of decoder.push(chunk)) {
      if (opcode === webSocketOpcodes.close) target.end();
      else if (payload[0] === 0 && !target.write(payload.subarray(1))) socket.pause();
    }
  });
  target.on('drain', () => socket.resume());
  socket.on('drain', () => target.resume());
  target.on('data', (chunk: Buffer) => {
    if (!send(0, chunk)) target.pause();
  });
  target.on('error', (error) => {
    send(1, Buffer.from(`error forwarding port ${requested}: ${error.message}`));
    socket.end();
  });
  target.on('close', () => socket.end(encodeWebSocketFrame(webSocketOpcodes.close, Buffer.from([0x03, 0xe8]))));
  socket.on('error', () => target.destroy());
  socket.on('close', () => target.destroy());
}
