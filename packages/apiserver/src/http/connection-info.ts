import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { TurnQueue } from './flow-control/turn-queue.js';

/** Properties that all requests of one connection share. */
export class ConnectionInfo {
  readonly remoteAddress: string;
  #certificate: Uint8Array | undefined;
  #intermediates: readonly Uint8Array[] = [];
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
    this.#readCertificates();
    return this.#certificate;
  }

  /** Returns the certificates of intermediate CAs that the client sent. */
  clientIntermediates(): readonly Uint8Array[] {
    this.#readCertificates();
    return this.#intermediates;
  }

  #readCertificates(): void {
    if (this.#read) return;
    this.#read = true;
    const leaf = this.socket.getPeerX509Certificate();
    this.#certificate = leaf?.raw;
    if (leaf !== undefined) this.#intermediates = issuersOf(leaf);
  }
}

/** Limits the work for a client that sends a long chain. */
const intermediatesMax = 4;

function issuersOf(leaf: X509Certificate): Uint8Array[] {
  const found: Uint8Array[] = [];
  let current = leaf.issuerCertificate;
  while (current !== undefined && found.length < intermediatesMax) {
    found.push(current.raw);
    // A self-signed certificate is its own issuer.
    current =
      current.issuerCertificate?.fingerprint256 === current.fingerprint256 ? undefined : current.issuerCertificate;
  }
  return found;
}
