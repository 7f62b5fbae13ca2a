import { constants, createGzip } from 'node:zlib';
import type { BodySink, Clock, HttpResponse } from '@slipway/base';
import type { Feed } from '../feeds/feed.js';

export interface StreamOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  /** Ends the stream when aborted. */
  readonly signal: AbortSignal;
}

/** Interval of heartbeats. Short enough for a page to notice a broken connection within seconds. */
const heartbeatMs = 10_000;
/** Maximum number of queued frames. A page that is further behind gets the complete value instead. */
const framesMax = 200;

/** Streams a view as compressed server-sent events: first the complete view, then differences. */
export function streamResponse(options: StreamOptions): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'content-encoding': 'gzip',
      'x-accel-buffering': 'no',
    },
    body: (sink) => new EventStream(options, sink).run(),
  };
}

class EventStream {
  readonly #gzip = createGzip({ level: 5, windowBits: 14 });
  readonly #pieces: Buffer[] = [];
  #frames: string[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(
    private readonly options: StreamOptions,
    private readonly sink: BodySink,
  ) {
    this.#gzip.on('data', (piece: Buffer) => this.#pieces.push(piece));
  }

  async run(): Promise<void> {
    const { feed, signal } = this.options;
    const end = (): void => {
      this.#isClosed = true;
      this.#wake?.();
    };
    this.sink.onClose(end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    const push = (frame: string): void => {
      this.#frames.push(frame);
      this.#wake?.();
    };
    let open = feed.open(push);
    try {
      while (!this.#isClosed) {
        if (this.#frames.length > framesMax) {
          open.dispose();
          this.#frames = [];
          open = feed.open(push);
        }
        if (this.#frames.length === 0) await this.#waitForFrameOrHeartbeat();
        if (this.#isClosed || !(await this.#send(this.#frames.splice(0)))) break;
      }
    } finally {
      signal.removeEventListener('abort', end);
      open.dispose();
      this.#gzip.destroy();
    }
  }

  #waitForFrameOrHeartbeat(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.options.clock.setTimer(heartbeatMs, () => this.#wake?.());
      this.#wake = () => {
        timer.cancel();
        this.#wake = undefined;
        resolve();
      };
    });
  }

  async #send(frames: readonly string[]): Promise<boolean> {
    const text = frames.length === 0 ? 'event: beat\ndata: \n\n' : frames.map((frame) => `data: ${frame}\n\n`).join('');
    this.#gzip.write(text);
    await new Promise<void>((resolve) => this.#gzip.flush(constants.Z_SYNC_FLUSH, resolve));
    return this.sink.write(Buffer.concat(this.#pieces.splice(0)));
  }
}
