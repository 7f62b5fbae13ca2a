import { Duplex } from 'node:stream';
import {
  controlFrame,
  dataFrame,
  finFlag,
  frameTypes,
  type SpdyFrame,
  SpdyFrameReader,
  streamIdOf,
  uint32s,
} from './frame.js';
import { HeaderBlockCoder, type SpdyHeaders } from './header-block.js';

const payloadBytesMax = 16 * 1024 * 1024 - 1;
const dataBytesMax = 32 * 1024;
const cancelled = 5;
/** Bytes of a SYN_STREAM before the headers: two stream ids, priority and slot. */
const synStreamPrefix = 10;
const streamsMax = 1_000;

/** One stream of a session, opened by the client. */
export class SpdyStream extends Duplex {
  constructor(
    readonly id: number,
    readonly headers: SpdyHeaders,
    private readonly session: SpdySession,
  ) {
    super();
  }

  override _read(): void {
    // Resume the connection. It is paused as a whole while a stream is slow, because Kubernetes clients do not use SPDY flow
    // control.
    this.session.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.session.sendData(this.id, chunk, done);
  }

  override _final(done: () => void): void {
    this.session.sendData(this.id, Buffer.alloc(0), done, finFlag);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.session.forget(this.id, error !== null || !this.writableFinished);
    done(error);
  }
}

/** Server side of a SPDY/3.1 connection, limited to what Kubernetes streaming needs. */
export class SpdySession {
  readonly #reader = new SpdyFrameReader(payloadBytesMax);
  readonly #coder = new HeaderBlockCoder();
  readonly #streams = new Map<number, SpdyStream>();
  /**
   * Resolves when all received frames are handled. Frames are handled in order, although header decompression is asynchronous.
   */
  #handling: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: Duplex,
    private readonly onStream: (stream: SpdyStream) => void,
    private readonly onEnd: (error?: unknown) => void,
  ) {
    connection.on('data', (chunk: Buffer) => {
      this.#handling = this.#handling.then(() => this.#receive(chunk)).catch((error: unknown) => this.close(error));
    });
    connection.on('error', (error) => this.close(error));
    connection.on('end', () => this.close());
    connection.on('close', () => this.close());
  }

  resume(): void {
    this.connection.resume();
  }

  sendData(id: number, bytes: Buffer, done: () => void, flags = 0): void {
    if (this.connection.destroyed) {
      done();
      return;
    }
    const frames: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += dataBytesMax)
      frames.push(dataFrame(id, bytes.subarray(start, start + dataBytesMax)));
    if (flags !== 0) frames.push(dataFrame(id, Buffer.alloc(0), flags));
    this.connection.write(Buffer.concat(frames), () => done());
  }

  forget(id: number, isBroken: boolean): void {
    if (!this.#streams.delete(id) || !isBroken || this.connection.destroyed) return;
    this.connection.write(controlFrame(frameTypes.rstStream, uint32s(id, cancelled)));
  }

  close(error?: unknown): void {
    if (this.connection.destroyed && this.#streams.size === 0) return;
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.destroy();
    this.#coder.close();
    this.connection.destroy();
    this.onEnd(error);
  }

  async #receive(chunk: Buffer): Promise<void> {
    for (const frame of this.#reader.push(chunk)) {
      if (frame.kind === 'data') this.#data(frame.streamId, frame.flags, frame.payload);
      else await this.#control(frame);
    }
  }

  #data(id: number, flags: number, payload: Buffer): void {
    const stream = this.#streams.get(id);
    if (stream === undefined || stream.destroyed) return;
    if (payload.length > 0 && !stream.push(payload)) this.connection.pause();
    if ((flags & finFlag) !== 0) stream.push(null);
  }

  async #control({ type, flags, payload }: Extract<SpdyFrame, { kind: 'control' }>): Promise<void> {
    if (type === frameTypes.synStream) await this.#open(flags, payload);
    else if (type === frameTypes.ping) this.connection.write(controlFrame(frameTypes.ping, payload));
    else if (type === frameTypes.rstStream) this.#streams.get(streamIdOf(payload))?.destroy();
    else if (type === frameTypes.goAway) this.connection.end();
    // Decode even header blocks that are not used, because they change the compression state.
    else if (type === frameTypes.headers) await this.#coder.decode(payload.subarray(4));
  }

  async #open(flags: number, payload: Buffer): Promise<void> {
    const id = streamIdOf(payload);
    const headers = await this.#coder.decode(payload.subarray(synStreamPrefix));
    if (this.#streams.size >= streamsMax) throw new RangeError('too many streams are open');
    const stream = new SpdyStream(id, headers, this);
    stream.on('error', () => undefined);
    this.#streams.set(id, stream);
    if ((flags & finFlag) !== 0) stream.push(null);
    const block = await this.#coder.encode(new Map());
    this.connection.write(controlFrame(frameTypes.synReply, Buffer.concat([uint32s(id), block])));
    this.onStream(stream);
  }
}
