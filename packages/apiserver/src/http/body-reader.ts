import type { Readable } from 'node:stream';

const empty = Buffer.alloc(0);

/**
 * The whole body, or undefined as soon as it is longer than `bytesMax`: reading stops there, and what was read is let go.
 * Rejects when the client leaves in the middle.
 */
export function readBody(
  stream: Readable,
  declaredLength: number | undefined,
  bytesMax: number,
): Promise<Buffer | undefined> {
  if (declaredLength !== undefined && declaredLength > bytesMax) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const settle = (finish: () => void): void => {
      stream.off('data', onData);
      stream.off('end', onEnd);
      stream.off('error', onGone);
      stream.off('aborted', onGone);
      stream.off('close', onGone);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total > bytesMax) {
        stream.pause();
        settle(() => resolve(undefined));
      } else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(join(chunks, total)));
    const onGone = (): void => settle(() => reject(new Error('the client went away before its body was complete')));
    stream.on('data', onData);
    stream.on('end', onEnd);
    stream.on('error', onGone);
    stream.on('aborted', onGone);
    stream.on('close', onGone);
  });
}

function join(chunks: readonly Buffer[], total: number): Buffer {
  if (chunks.length === 0) return empty;
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, total);
}

/** undefined: the header is missing, or not a length. */
export function contentLength(value: unknown): number | undefined {
  return typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined;
}
