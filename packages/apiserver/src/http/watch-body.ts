import type { BodySink, BodyStream, Clock } from '@slipway/base';
import { internalError, type JsonObject, StatusError } from '@slipway/kube';
import type { WatchEvent, WatchStream } from '../contract/index.js';
import type { EncodeEvent } from './event-encoder.js';

/** Maximum size of one write. Pending events are sent together up to this size. */
const writeBytesMax = 256 * 1024;

export interface WatchBodyOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Registers a callback for the stop of the server, so that clients see a clean end of the stream. */
  onShutdown(callback: () => void): { dispose(): void };
  onEvents?(count: number): void;
  onEnd?(): void;
  onFailure?(error: unknown): void;
}

/**
 * Streams a watch until it times out, the client disconnects or the server stops. A slow client delays the next read from the
 * stream, which then overflows and ends; at most one write is buffered here.
 */
export function watchBody(stream: WatchStream, encode: EncodeEvent, options: WatchBodyOptions): BodyStream {
  return async (sink) => {
    const stop = (): void => stream.dispose();
    const timer = options.clock.setTimer(options.timeoutMs, stop);
    const shutdown = options.onShutdown(stop);
    sink.onClose(stop);
    try {
      for (let events = await stream.next(); events !== undefined; events = await stream.next()) {
        options.onEvents?.(events.length);
        const written = writeEvents(events, encode, sink);
        // Avoid promises for events that are already available: this runs for every event and watcher.
        if (!(typeof written === 'boolean' ? written : await written)) break;
      }
    } catch (error) {
      // The status code was already sent: report the error as the last event. The client must list again.
      await writeEvents([{ type: 'ERROR', status: statusOf(error) }], encode, sink);
      options.onFailure?.(error);
    } finally {
      timer.cancel();
      shutdown.dispose();
      stop();
      options.onEnd?.();
    }
  };
}

function statusOf(error: unknown): JsonObject {
  const failure =
    error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error));
  return { ...failure.toStatus() } as unknown as JsonObject;
}

function writeEvents(
  events: readonly WatchEvent[],
  encode: EncodeEvent,
  sink: BodySink,
  from = 0,
): boolean | Promise<boolean> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let index = from; index < events.length; index += 1) {
    const before = pieces.length;
    encode(events[index] as WatchEvent, pieces);
    for (let piece = before; piece < pieces.length; piece += 1) size += pieces[piece]?.length ?? 0;
    if (size >= writeBytesMax) return writeRest(events, encode, sink, index + 1, joined(pieces, size));
  }
  return size === 0 ? true : sink.write(joined(pieces, size));
}

async function writeRest(
  events: readonly WatchEvent[],
  encode: EncodeEvent,
  sink: BodySink,
  from: number,
  first: Buffer,
): Promise<boolean> {
  return (await sink.write(first)) && writeEvents(events, encode, sink, from);
}

function joined(pieces: readonly Buffer[], size: number): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size);
}
