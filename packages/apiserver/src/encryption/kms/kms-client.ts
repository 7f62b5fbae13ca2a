import { connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Clock } from '@slipway/base';
import { encodeMessage, WireMessage } from './wire.js';

export interface KmsStatus {
  readonly version: string;
  /** `ok`, or why the plugin is not healthy. */
  readonly health: string;
  readonly keyId: string;
}

export interface WrappedKey {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: ReadonlyMap<string, Buffer>;
}

const service = '/v2.KeyManagementService/';
const responseBytesMax = 1024 * 1024;
const prefixLength = 5;

/** Calls a KMS v2 plugin by gRPC on its Unix socket. Calls are rare: each opens a connection. */
export class KmsClient {
  constructor(
    private readonly socketPath: string,
    private readonly timeoutMs: number,
    private readonly clock: Clock,
  ) {}

  async status(): Promise<KmsStatus> {
    const message = await this.#call('Status', Buffer.alloc(0));
    return { version: message.text(1), health: message.text(2), keyId: message.text(3) };
  }

  async encrypt(plaintext: Buffer, uid: string): Promise<WrappedKey> {
    const message = await this.#call(
      'Encrypt',
      encodeMessage([
        [1, plaintext],
        [2, uid],
      ]),
    );
    return { ciphertext: message.bytes(1), keyId: message.text(2), annotations: message.map(3) };
  }

  async decrypt({ ciphertext, keyId, annotations }: WrappedKey, uid: string): Promise<Buffer> {
    const message = await this.#call(
      'Decrypt',
      encodeMessage([
        [1, ciphertext],
        [2, uid],
        [3, keyId],
        [4, annotations],
      ]),
    );
    return message.bytes(1);
  }

  #call(method: string, request: Buffer): Promise<WireMessage> {
    return new Promise((resolve, reject) => {
      const session = connect('http://localhost', { createConnection: () => connectSocket(this.socketPath) });
      const timer = this.clock.setTimer(this.timeoutMs, () => finish(new Error(`no response in ${this.timeoutMs} ms`)));
      const finish = (result: WireMessage | Error): void => {
        timer.cancel();
        session.destroy();
        if (result instanceof WireMessage) resolve(result);
        else reject(new Error(`${method} at ${this.socketPath}: ${causeOf(result).message}`, { cause: result }));
      };
      session.on('error', finish);
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: service + method,
        [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
        [constants.HTTP2_HEADER_TE]: 'trailers',
      });
      let fields: IncomingHttpHeaders = {};
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('response', (headers) => (fields = { ...fields, ...headers }));
      stream.on('trailers', (trailers) => (fields = { ...fields, ...trailers }));
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > responseBytesMax) finish(new Error(`the response is longer than ${responseBytesMax} bytes`));
        else chunks.push(chunk);
      });
      stream.on('error', finish);
      stream.once('close', () => finish(answerOf(fields, Buffer.concat(chunks))));
      stream.end(frame(request));
    });
  }
}

/** A failed connection also cancels the request on it, with an error that only wraps the first one. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}

function frame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function answerOf(fields: IncomingHttpHeaders, body: Buffer): WireMessage | Error {
  const status = fields['grpc-status'];
  if (status !== '0')
    return new Error(
      status === undefined ? 'the connection was closed' : `gRPC status ${String(status)}: ${messageOf(fields)}`,
    );
  if (body.length < prefixLength || body[0] !== 0 || body.readUInt32BE(1) !== body.length - prefixLength)
    return new Error('the response is not one uncompressed gRPC message');
  try {
    return new WireMessage(body.subarray(prefixLength));
  } catch (error) {
    return error as Error;
  }
}

/** Returns the error message, which is percent-encoded. */
function messageOf(fields: IncomingHttpHeaders): string {
  const text = String(fields['grpc-message'] ?? '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
