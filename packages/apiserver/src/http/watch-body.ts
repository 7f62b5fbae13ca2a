import type { Clock } from '@slipway/base';
import { internalError, type JsonObject, StatusError } from '@slipway/kube';
import type { WatchEvent, WatchStream } from '../registry/index.js';
import type { EncodeEvent } from './event-encoder.js';
import type { BodySink, BodyStream } from './message.js';

/** Events that are ready together go out in one write, up to this size. */
const writeBytesMax = 256 * 1024;

export interface WatchBodyOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Calls back when the server stops, so that clients see a clean end instead of a broken connection. */
  onShutdown(callback: () => void): { dispose(): void };
  onEvents?(count: number): void;
  onEnd?(): void;
  onFailure?(error: unknown): void;
}

/**
 * Streams a watch until its time is over, the client leaves or the server stops. A slow reader holds back the next read
 * from the stream, which then overflows and ends by itself: nothing is buffered here beyond one write.
 */
export function watchBody(stream: WatchStream, encode: EncodeEvent, options: WatchBodyOptions): BodyStream {
  return async (sink) => {
    const feed = new Feed(stream);
    const timer = options.clock.setTimer(options.timeoutMs, () => feed.stop());
    const shutdown = options.onShutdown(() => feed.stop());
    sink.onClose(() => feed.stop());
    try {
      for (let events = await feed.next(); events !== undefined; events = await feed.next()) {
        options.onEvents?.(events.length);
        if (!(await writeEvents(events, encode, sink))) break;
      }
    } catch (error) {
      // Too late for a status code: the client learns of it as the last event, and begins anew.
      await writeEvents([{ type: 'ERROR', status: statusOf(error) }], encode, sink);
      options.onFailure?.(error);
    } finally {
      timer.cancel();
      shutdown.dispose();
      feed.stop();
      options.onEnd?.();
    }
  };
}

function statusOf(error: unknown): JsonObject {
  const failure =
    error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error));
  return { ...failure.toStatus() } as unknown as JsonObject;
}

async function writeEvents(events: readonly WatchEvent[], encode: EncodeEvent, sink: BodySink): Promise<boolean> {
  let pieces: Buffer[] = [];
  let size = 0;
  for (const event of events) {
    const before = pieces.length;
    encode(event, pieces);
    for (let index = before; index < pieces.length; index += 1) size += pieces[index]?.length ?? 0;
    if (size >= writeBytesMax) {
      if (!(await sink.write(Buffer.concat(pieces, size)))) return false;
      pieces = [];
      size = 0;
    }
  }
  return size === 0 ? true : await sink.write(Buffer.concat(pieces, size));
}

/** The stream with a way to stop a waiting reader. */
class Feed {
  #stopped = false;
  #wake: (() => void) | undefined;

  constructor(private readonly stream: WatchStream) {}

  next(): Promise<readonly WatchEvent[] | undefined> {
    if (this.#stopped) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(undefined);
      this.stream.next().then(resolve, reject);
    });
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.stream.dispose();
    this.#wake?.();
  }
}
