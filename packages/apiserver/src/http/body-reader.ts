import type { Readable } from 'node:stream';
import type { ReadBodyOptions } from '@slipway/base';

/**
 * Reads the whole body, or returns undefined as soon as it exceeds `bytesMax`: reading stops and the data is discarded.
 * Rejects if the client disconnects before the end.
 */
export function readBody(
  stream: Readable,
  declaredLength: number | undefined,
  bytesMax: number,
  { onBytes, signal }: ReadBodyOptions = {},
): Promise<Buffer | undefined> {
  if (declaredLength !== undefined && declaredLength > bytesMax) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const received = new ReceivedBytes();
    const settle = (finish: () => void): void => {
      stream.off('data', onData);
      stream.off('end', onEnd);
      stream.off('error', onGone);
      stream.off('aborted', onGone);
      stream.off('close', onGone);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const stop = (error: Error): void => {
      stream.pause();
      settle(() => reject(error));
    };
    const onData = (chunk: Buffer): void => {
      if (received.length + chunk.length > bytesMax) {
        stream.pause();
        settle(() => resolve(undefined));
        return;
      }
      try {
        onBytes?.(chunk.length);
        received.add(chunk);
      } catch (error) {
        stop(error as Error);
      }
    };
    const onEnd = (): void => settle(() => resolve(received.bytes()));
    const onGone = (): void =>
      settle(() => reject(new Error('the client closed the connection before the request body was complete')));
    const onAbort = (): void => stop(signal?.reason as Error);
    stream.on('data', onData);
    stream.on('end', onEnd);
    stream.on('error', onGone);
    stream.on('aborted', onGone);
    stream.on('close', onGone);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Received bytes in one buffer that grows. A list of chunks would cost hundreds of bytes of memory for each byte of a client that
 * sends single bytes.
 */
class ReceivedBytes {
  #buffer: Buffer = Buffer.alloc(0);
  length = 0;

  add(chunk: Buffer): void {
    if (this.length === 0) {
      // Most bodies arrive in one chunk, which is used without a copy.
      this.#buffer = chunk;
      this.length = chunk.length;
      return;
    }
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.length));
      this.#buffer.copy(grown, 0, 0, this.length);
      this.#buffer = grown;
    }
    chunk.copy(this.#buffer, this.length);
    this.length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }
}

/** Parses a Content-Length header. Returns undefined if it is missing or invalid. */
export function contentLength(value: unknown): number | undefined {
  return typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined;
}
