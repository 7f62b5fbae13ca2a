import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Clock, HttpRequest, HttpResponse } from '@slipway/base';
import { contentLength, readBody } from './body-reader.js';
import type { ConnectionInfo } from './connection-info.js';
import { separateRepeated } from './repeated-headers.js';
import { bodyLength } from './respond.js';
import { closedSink, StreamSink, writePieces } from './stream-sink.js';

export function http2Request(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  raw: readonly string[],
  connection: ConnectionInfo,
): HttpRequest {
  return {
    method: (headers[':method'] as string | undefined) ?? 'GET',
    url: (headers[':path'] as string | undefined) ?? '/',
    headers: separateRepeated(headers, raw),
    remoteAddress: connection.remoteAddress,
    get clientCertificate() {
      return connection.clientCertificate();
    },
    get clientIntermediates() {
      return connection.clientIntermediates();
    },
    readBody: (bytesMax, options) => readBody(stream, contentLength(headers['content-length']), bytesMax, options),
    turn: () => connection.turn(),
    onClose: (callback) => {
      if (stream.destroyed) callback();
      else stream.once('close', callback);
    },
  };
}

export async function sendHttp2(stream: ServerHttp2Stream, answer: HttpResponse, clock: Clock): Promise<void> {
  const { body, status } = answer;
  if (stream.destroyed || stream.closed) {
    // The client has disconnected. Run the body of a watch with a closed sink, so that the watch ends its subscription.
    if (typeof body === 'function') await body(closedSink);
    return;
  }
  const headers: Record<string, string | string[] | number> = answer.headers;
  headers[':status'] = status;
  if (typeof body === 'function') {
    stream.respond(headers);
    await body(new StreamSink(stream, clock));
    if (!stream.destroyed) stream.end();
    return;
  }
  const length = body === undefined ? 0 : bodyLength(body);
  if (status !== 304) headers['content-length'] = String(length);
  if (body === undefined || length === 0) stream.respond(headers, { endStream: true });
  else {
    stream.respond(headers);
    if (Buffer.isBuffer(body)) stream.end(body);
    else await writePieces(stream, body, clock);
  }
  if (!stream.readableEnded && !stream.endAfterHeaders) stream.once('finish', () => discardBody(stream));
}

/** Discards an unread body: asks the client to stop sending and drops received data, so that the stream can end. */
function discardBody(stream: ServerHttp2Stream): void {
  stream.close(constants.NGHTTP2_NO_ERROR);
  stream.resume();
}
