import type { Writable } from 'node:stream';
import type { BodySink, Clock } from '@slipway/base';

/** Large bodies are sent in chunks of this size, so that a slow client holds one chunk and not the whole body. */
const chunkBytesMax = 256 * 1024;

/** A client that reads nothing for this long is disconnected. */
const stallMsMax = 120_000;

/** A response stream as a sink with backpressure. */
export class StreamSink implements BodySink {
  constructor(
    private readonly stream: Writable,
    private readonly clock: Clock,
  ) {}

  write(chunk: Buffer): boolean | Promise<boolean> {
    const { stream } = this;
    if (stream.destroyed || stream.writableEnded) return false;
    if (stream.write(chunk)) return true;
    return new Promise((resolve) => {
      const finish = (open: boolean) => (): void => {
        stream.off('drain', onDrain);
        stream.off('close', onClose);
        timer.cancel();
        resolve(open);
      };
      const onDrain = finish(true);
      const onClose = finish(false);
      const timer = this.clock.setTimer(stallMsMax, () => stream.destroy());
      stream.on('drain', onDrain);
      stream.on('close', onClose);
    });
  }

  onClose(callback: () => void): void {
    if (this.stream.destroyed) callback();
    else this.stream.once('close', callback);
  }
}

/** The sink of a client that disconnected before the body started. */
export const closedSink: BodySink = { write: () => false, onClose: (callback) => callback() };

/** Writes the pieces, joined into larger chunks, and ends the stream. */
export async function writePieces(stream: Writable, pieces: readonly Buffer[], clock: Clock): Promise<void> {
  const sink = new StreamSink(stream, clock);
  let from = 0;
  let size = 0;
  for (let index = 0; index < pieces.length; index += 1) {
    size += pieces[index]?.length ?? 0;
    if (size < chunkBytesMax) continue;
    if (!(await sink.write(Buffer.concat(pieces.slice(from, index + 1), size)))) return;
    from = index + 1;
    size = 0;
  }
  stream.end(Buffer.concat(pieces.slice(from), size));
}
