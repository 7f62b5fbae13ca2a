import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { rmSync } from 'node:fs';

interface Fields {
  readonly [number: number]: readonly Buffer[];
}

/**
 * A KMS v2 plugin on a Unix socket, with its own protobuf code. It encrypts with AES-GCM and one key per key ID, and requires the
 * annotation that it returned, as plugins with an annotated ciphertext do.
 */
export class KmsPlugin {
  /** The current key ID. */
  keyId = 'key-1';
  health = 'ok';
  /** Whether requests are left without a response. */
  hangs = false;
  readonly calls: string[] = [];
  readonly #keys = new Map<string, Buffer>();
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(
    readonly socketPath: string,
    private readonly server: Http2Server,
  ) {
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream: ServerHttp2Stream, headers) => void this.#serve(stream, String(headers[':path'])));
  }

  static async start(socketPath: string, keys?: KmsPlugin): Promise<KmsPlugin> {
    rmSync(socketPath, { force: true });
    const server = createServer();
    server.listen(socketPath);
    await once(server, 'listening');
    const plugin = new KmsPlugin(socketPath, server);
    for (const [id, key] of keys?.keys ?? []) plugin.#keys.set(id, key);
    return plugin;
  }

  get keys(): ReadonlyMap<string, Buffer> {
    return this.#keys;
  }

  /** Destroys a key, so that nothing that it encrypted can be decrypted again. */
  forget(keyId: string): void {
    this.#keys.delete(keyId);
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(stream: ServerHttp2Stream, path: string): Promise<void> {
    stream.on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    const method = path.replace('/v2.KeyManagementService/', '');
    this.calls.push(method);
    if (this.hangs) return;
    try {
      const message = this.#answer(method, decode(Buffer.concat(chunks).subarray(5)));
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(message.length, 1);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.concat([prefix, message]));
    } catch (error) {
      const text = encodeURIComponent((error as Error).message);
      const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '2', 'grpc-message': text };
      stream.respond(headers, { endStream: true });
    }
  }

  #answer(method: string, request: Fields): Buffer {
    if (method === 'Status') return encode([1, 'v2'], [2, this.health], [3, this.keyId]);
    if (method === 'Encrypt') return this.#encrypt(request[1]?.[0] ?? Buffer.alloc(0));
    return this.#decrypt(request);
  }

  #encrypt(plain: Buffer): Buffer {
    const key = this.#keys.get(this.keyId) ?? randomBytes(32);
    this.#keys.set(this.keyId, key);
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const wrapped = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return encode([1, wrapped], [2, this.keyId], [3, encode([1, 'version.kms.example.com'], [2, '1'])]);
  }

  #decrypt(request: Fields): Buffer {
    const [id, wrapped] = [String(request[3]?.[0]), request[1]?.[0] ?? Buffer.alloc(0)];
    const annotation = decode(request[4]?.[0] ?? Buffer.alloc(0));
    if (String(annotation[1]?.[0]) !== 'version.kms.example.com') throw new Error('the annotation is missing');
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`no key ${id}`);
    const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12));
    decipher.setAuthTag(wrapped.subarray(-16));
    return encode([1, Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()])]);
  }
}

/** Encodes fields of less than 16 KiB. */
function encode(...fields: readonly (readonly [number, Buffer | string])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      const bytes = Buffer.from(value);
      const { length } = bytes;
      const size = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
      return [Buffer.from([(number << 3) | 2, ...size]), bytes];
    }),
  );
}

function decode(message: Buffer): Fields {
  const fields: Record<number, Buffer[]> = {};
  for (let at = 0; at < message.length; ) {
    const number = (message[at] ?? 0) >> 3;
    let length = message[at + 1] ?? 0;
    at += 2;
    if (length > 127) {
      length = (length & 0x7f) | ((message[at] ?? 0) << 7);
      at += 1;
    }
    (fields[number] ??= []).push(message.subarray(at, at + length));
    at += length;
  }
  return fields;
}
