import type { Duplex } from 'node:stream';
import { encodeWebSocketFrame, WebSocketDecoder, webSocketOpcodes } from '@slipway/base';

const payloadBytesMax = 16 * 1024 * 1024;
const normalClosure = 1000;
const protocolError = 1002;

/** The client of an established WebSocket. */
export class WebSocketPeer {
  onMessage: (payload: Uint8Array) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly #decoder = new WebSocketDecoder({ payloadBytesMax });
  readonly #socket: Duplex;
  #closed = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
    socket.on('end', () => this.#end());
  }

  /** Starts reading. `head` is the data that arrived together with the upgrade request. */
  start(head: Uint8Array): void {
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    if (head.length > 0) this.#receive(head);
  }

  /** Sends a message. Returns false if the client does not keep up; `onceDrained` is called when it has caught up. */
  send(payload: Uint8Array): boolean {
    if (this.#closed) return true;
    return this.#socket.write(encodeWebSocketFrame(webSocketOpcodes.binary, payload));
  }

  onceDrained(callback: () => void): void {
    this.#socket.once('drain', callback);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code = normalClosure): void {
    if (this.#closed) return;
    this.#closed = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#socket.end(encodeWebSocketFrame(webSocketOpcodes.close, payload));
    this.onClose();
  }

  #receive(chunk: Uint8Array): void {
    try {
      for (const { opcode, payload } of this.#decoder.push(chunk)) {
        if (opcode === webSocketOpcodes.ping) this.#socket.write(encodeWebSocketFrame(webSocketOpcodes.pong, payload));
        else if (opcode === webSocketOpcodes.close) this.close();
        else if (opcode === webSocketOpcodes.binary || opcode === webSocketOpcodes.text) this.onMessage(payload);
      }
    } catch {
      this.close(protocolError);
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.end();
    this.onClose();
  }
}
