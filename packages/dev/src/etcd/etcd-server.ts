import { constants, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Logger } from '@slipway/base';
import { decodeFrame, encodeFrame } from '@slipway/kubeadm';
import { CallError, type CallContext, callStatus, etcdCalls } from './etcd-calls.js';

/** The serving certificate with its key, and the CA of accepted client certificates, all in PEM. */
export interface EtcdServing {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
  /** Key of 48 bytes that encrypts TLS session tickets, with which clients resume a session without a full handshake. */
  readonly ticketKeys: Buffer;
}

const requestBytesMax = 1_048_576;
const internal = 13;

/**
 * Serves one connection to a member: gRPC over mutual TLS. Keeps no state between connections, because a thousand members that
 * are called once a minute would waste memory.
 */
export function serveEtcd(stream: Duplex, serving: EtcdServing, context: CallContext, logger: Logger): void {
  const server = createSecureServer({
    cert: serving.certificate,
    key: serving.key,
    ca: serving.authority,
    ticketKeys: serving.ticketKeys,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2'],
  });
  stream.on('error', () => stream.destroy());
  server.on('tlsClientError', (error) => {
    logger.debug({ err: error }, 'TLS handshake with a simulated etcd member failed');
    stream.destroy();
  });
  server.on('session', (session) => session.on('error', () => stream.destroy()));
  server.on('sessionError', () => stream.destroy());
  server.on('stream', (call: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    call.on('error', () => undefined);
    void answer(call, String(headers[constants.HTTP2_HEADER_PATH]), context);
  });
  server.emit('connection', stream);
}

async function answer(call: ServerHttp2Stream, path: string, context: CallContext): Promise<void> {
  try {
    const handler = etcdCalls.get(path);
    if (handler === undefined) throw new CallError(callStatus.unimplemented, `unknown method ${path}`);
    const response = await handler(context, decodeFrame(await readAll(call)));
    if (call.destroyed) return;
    call.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    call.on('wantTrailers', () => call.sendTrailers({ 'grpc-status': '0' }));
    call.end(encodeFrame(response));
  } catch (error) {
    if (call.destroyed) return;
    const status = error instanceof CallError ? error.status : internal;
    const message = error instanceof Error ? error.message : String(error);
    call.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': String(status),
        'grpc-message': encodeURIComponent(message),
      },
      { endStream: true },
    );
  }
}

async function readAll(call: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of call as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > requestBytesMax) throw new CallError(callStatus.invalidArgument, 'the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
