import { Duplex } from 'node:stream';

/** Returns the two ends of an in-process connection: each end reads what the other one writes. */
export function duplexPair(): readonly [Duplex, Duplex] {
  const left: PairedDuplex = new PairedDuplex(() => right);
  const right: PairedDuplex = new PairedDuplex(() => left);
  return [left, right];
}

class PairedDuplex extends Duplex {
  readonly #other: () => PairedDuplex;
  /** Resumes the writer. Called once the other end is ready to read more. */
  #resume: (() => void) | undefined;

  constructor(other: () => PairedDuplex) {
    super();
    this.#other = other;
  }

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    const other = this.#other();
    // Deliver the data asynchronously, like a socket.
    setImmediate(() => {
      if (other.destroyed || other.push(chunk)) callback();
      else other.#resume = callback;
    });
  }

  override _final(callback: () => void): void {
    const other = this.#other();
    setImmediate(() => {
      if (!other.destroyed) other.push(null);
      callback();
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const other = this.#other();
    setImmediate(() => {
      // The other end sees a closed connection, but not the error.
      if (!other.destroyed) other.destroy();
    });
    callback(error);
  }
}
