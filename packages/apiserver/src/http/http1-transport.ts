import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, HttpRequest, HttpResponse } from '@slipway/base';
import { contentLength, readBody } from './body-reader.js';
import type { ConnectionInfo } from './connection-info.js';
import { separateRepeated } from './repeated-headers.js';
import { bodyLength } from './respond.js';
import { closedSink, StreamSink, writePieces } from './stream-sink.js';

export function http1Request(
  message: IncomingMessage,
  response: ServerResponse,
  connection: Pick<ConnectionInfo, 'remoteAddress' | 'clientCertificate' | 'clientIntermediates' | 'turn'>,
): HttpRequest {
  return {
    method: message.method ?? 'GET',
    url: message.url ?? '/',
    headers: separateRepeated(message.headers, message.rawHeaders),
    remoteAddress: connection.remoteAddress,
    get clientCertificate() {
      return connection.clientCertificate();
    },
    get clientIntermediates() {
      return connection.clientIntermediates();
    },
    readBody: (bytesMax, options) =>
      readBody(message, contentLength(message.headers['content-length']), bytesMax, options),
    turn: () => connection.turn(),
    onClose: (callback) => {
      if (response.destroyed) callback();
      else response.once('close', callback);
    },
  };
}

export async function sendHttp1(response: ServerResponse, answer: HttpResponse, clock: Clock): Promise<void> {
  const { body, headers, status } = answer;
  if (response.destroyed) {
    // The client has disconnected. Run the body of a watch with a closed sink, so that the watch ends its subscription.
    if (typeof body === 'function') await body(closedSink);
    return;
  }
  if (typeof body === 'function') {
    response.writeHead(status, headers);
    response.flushHeaders();
    await body(new StreamSink(response, clock));
    response.end();
    return;
  }
  const length = body === undefined ? 0 : bodyLength(body);
  if (status !== 304) headers['content-length'] = String(length);
  response.writeHead(status, headers);
  if (body === undefined || Buffer.isBuffer(body)) response.end(body);
  else await writePieces(response, body, clock);
}
