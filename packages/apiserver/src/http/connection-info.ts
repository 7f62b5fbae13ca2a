import type { TLSSocket } from 'node:tls';

/** Properties that all requests of one connection share. */
export class ConnectionInfo {
  readonly remoteAddress: string;
  #certificate: Uint8Array | undefined;
  #read = false;

  constructor(private readonly socket: TLSSocket) {
    this.remoteAddress = socket.remoteAddress ?? '';
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
