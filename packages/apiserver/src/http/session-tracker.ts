import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Clock, Timer } from '@slipway/base';

const idleMsMax = 180_000;
const sweepMs = 60_000;

interface Use {
  streams: number;
  idleSince: number;
}

/**
 * Tracks the HTTP/2 sessions of a server and closes those that had no streams for an idle time. A socket timeout would also close
 * sessions with idle watches.
 */
export class SessionTracker {
  readonly #sessions = new Map<ServerHttp2Session, Use>();
  #timer: Timer | undefined;

  constructor(private readonly clock: Clock) {}

  add(session: ServerHttp2Session): void {
    this.#sessions.set(session, { streams: 0, idleSince: this.clock.monotonic() });
    session.once('close', () => this.#sessions.delete(session));
    this.#timer ??= this.clock.setTimer(sweepMs, () => this.#sweep());
  }

  count(stream: ServerHttp2Stream): void {
    const use = stream.session === undefined ? undefined : this.#sessions.get(stream.session as ServerHttp2Session);
    if (use === undefined) return;
    use.streams += 1;
    stream.once('close', () => {
      use.streams -= 1;
      use.idleSince = this.clock.monotonic();
    });
  }

  /** Stops accepting new streams and lets open ones finish. */
  close(): void {
    this.#timer?.cancel();
    for (const session of this.#sessions.keys()) session.close();
  }

  #sweep(): void {
    const oldest = this.clock.monotonic() - idleMsMax;
    for (const [session, use] of this.#sessions) if (use.streams === 0 && use.idleSince < oldest) session.close();
    this.#timer = this.#sessions.size === 0 ? undefined : this.clock.setTimer(sweepMs, () => this.#sweep());
  }
}
