import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import {
  encodeWebSocketFrame,
  type Random,
  WebSocketDecoder,
  type WebSocketMessage,
  webSocketOpcodes,
} from '@slipway/base';
import { ConnectionError, toConnectionError } from './connection-error.js';

/** Channel numbers. Every message starts with the number of its channel: the data of the port, or its errors. */
const dataChannel = 0;
const errorChannel = 1;
/** Length of the first message of each channel, which contains the port number. */
const portBytes = 2;
const normalClosure = 1000;
const frameBytesMax = 32 * 1024;
const payloadBytesMax = 16 * 1024 * 1024;

export const portForwardProtocol = 'v4.channel.k8s.io';

/**
 * A stream to a port of a Pod over an established WebSocket. The protocol has no half-closed state: ending one side ends both.
 * Back-pressure propagates to the Pod.
 */
export class PortForwardStream extends Duplex {
  readonly #socket: Socket;
  readonly #random: Random;
  readonly #subject: string;
  readonly #decoder = new WebSocketDecoder({ payloadBytesMax });
  /** Channels whose first message was received. */
  readonly #opened = new Set<number>();
  #hasEnded = false;

  constructor(socket: Socket, head: Uint8Array, options: { readonly random: Random; readonly subject: string }) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#random = options.random;
    this.#subject = options.subject;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.destroy(toConnectionError(error, options.subject)));
    socket.once('end', () => this.#breakOff());
    socket.once('close', () => this.#breakOff());
    socket.pause();
    if (head.length > 0) this.#receive(head);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const frames: Buffer[] = [];
    for (let start = 0; start < chunk.length; start += frameBytesMax) {
      const part = chunk.subarray(start, start + frameBytesMax);
      frames.push(this.#frame(webSocketOpcodes.binary, Buffer.concat([Buffer.from([dataChannel]), part])));
    }
    this.#socket.write(Buffer.concat(frames), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    const code = Buffer.alloc(2);
    code.writeUInt16BE(normalClosure);
    this.#socket.end(this.#frame(webSocketOpcodes.close, code), () => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Uint8Array): void {
    try {
      for (const message of this.#decoder.push(chunk)) this.#handle(message);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.destroy(new ConnectionError('protocol', `${this.#subject}: ${text}`, { cause: error }));
    }
  }

  #handle({ opcode, payload }: WebSocketMessage): void {
    if (opcode === webSocketOpcodes.ping) this.#socket.write(this.#frame(webSocketOpcodes.pong, payload));
    else if (opcode === webSocketOpcodes.close) this.#end();
    else if (opcode === webSocketOpcodes.binary || opcode === webSocketOpcodes.text) this.#deliver(payload);
  }

  #deliver(payload: Uint8Array): void {
    const [channel] = payload;
    if (channel === undefined) return;
    const content = this.#contentOf(channel, payload.subarray(1));
    if (content.length === 0 || this.destroyed) return;
    if (channel === errorChannel) {
      const text = Buffer.from(content).toString('utf8').trim();
      this.destroy(new ConnectionError('reset', `${this.#subject}: ${text}`));
    } else if (channel === dataChannel && !this.#hasEnded && !this.push(content)) {
      this.#socket.pause();
    }
  }

  #contentOf(channel: number, content: Uint8Array): Uint8Array {
    if (this.#opened.has(channel)) return content;
    this.#opened.add(channel);
    return content.subarray(portBytes);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(null);
    this.#socket.end();
  }

  /** Fails the stream if the connection ended without a close frame: then data may have been lost. */
  #breakOff(): void {
    if (this.#hasEnded || this.writableEnded) this.#end();
    else this.destroy(new ConnectionError('reset', `${this.#subject}: the connection was lost`));
  }

  #frame(opcode: number, payload: Uint8Array): Buffer {
    return encodeWebSocketFrame(opcode, payload, this.#random.bytes(4));
  }
}
