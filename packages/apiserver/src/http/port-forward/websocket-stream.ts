import { Duplex } from 'node:stream';
import type { WebSocketPeer } from './websocket-peer.js';

/** Presents the messages of a WebSocket as one byte stream, for tunnelled protocols. */
export class WebSocketStream extends Duplex {
  readonly #peer: WebSocketPeer;

  constructor(peer: WebSocketPeer) {
    super({ allowHalfOpen: false });
    this.#peer = peer;
    peer.onMessage = (payload) => {
      if (!this.push(Buffer.from(payload))) peer.pause();
    };
    peer.onClose = () => {
      this.push(null);
      this.destroy();
    };
  }

  override _read(): void {
    this.#peer.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#peer.send(chunk)) done();
    else this.#peer.onceDrained(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#peer.close();
    done(error);
  }
}
