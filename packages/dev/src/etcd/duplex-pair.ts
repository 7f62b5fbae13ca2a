import { Duplex } from 'node:stream';

/** Two ends of a connection within the process: what one writes the other reads. */
export function duplexPair(): readonly [Duplex, Duplex] {
  const left: PairedDuplex = new PairedDuplex(() => right);
  const right: PairedDuplex = new PairedDuplex(() => left);
  return [left, right];
}

class PairedDuplex extends Duplex {
  readonly #other: () => PairedDuplex;
  /** Called once the other end wants more. */
  #wanted: (() => void) | undefined;

  constructor(other: () => PairedDuplex) {
    super();
    this.#other = other;
  }

  override _read(): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    wanted?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    const other = this.#other();
    // Never in the writer's stack, as with a socket.
    setImmediate(() => {
      if (other.destroyed || other.push(chunk)) callback();
      else other.#wanted = callback;
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
      // The other end sees that the connection is gone, not why.
      if (!other.destroyed) other.destroy();
    });
    callback(error);
  }
}
