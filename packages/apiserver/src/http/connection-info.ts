import type { TLSSocket } from 'node:tls';
import type { TurnQueue } from './flow-control/turn-queue.js';

/** Properties that all requests of one connection share. */
export class ConnectionInfo {
  readonly remoteAddress: string;
  #certificate: Uint8Array | undefined;
  #read = false;

  constructor(
    private readonly socket: TLSSocket,
    private readonly turns: TurnQueue,
  ) {
    this.remoteAddress = socket.remoteAddress ?? '';
  }

  /** Calls `start` when it is the turn of this connection. */
  run(start: () => void): void {
    this.turns.run(this, start);
  }

  turn(): Promise<void> {
    return new Promise((resolve) => this.turns.run(this, resolve));
  }

  /**
   * Returns the client certificate, read once per connection: reading it for every request would cost more than most requests.
   */
  clientCertificate(): Uint8Array | undefined {
    if (!this.#read) {
      this.#read = true;
      this.#certificate = this.socket.getPeerX509Certificate()?.raw;
    }
    return this.#certificate;
  }
}
