import { createHash } from 'node:crypto';
import type { Clock, Disposable, Logger, Timer } from '@slipway/base';
import { addressText, parseServerAddress } from '../http/index.js';
import { VimSession, type VimSessionOptions } from './vim-session.js';

export interface SessionPoolOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Keep-alive interval. vCenter expires idle sessions after 30 minutes. */
  readonly keepAliveMs?: number;
  /** Idle time after which a session is logged out. */
  readonly idleMs?: number;
}

/** Public information about a session, without credentials. */
export interface SessionSummary {
  readonly server: string;
  readonly username: string;
  readonly isLoggedIn: boolean;
  /** Time since the session was last used. */
  readonly idleMs: number;
}

interface Pooled {
  readonly session: VimSession;
  readonly server: string;
  readonly username: string;
  usedAt: number;
}

/**
 * Shares sessions among callers with the same server, user, password and trust. A changed password or thumbprint opens a new
 * session; the old one is logged out when idle.
 */
export class SessionPool implements Disposable {
  readonly #options: Required<SessionPoolOptions>;
  readonly #pooled = new Map<string, Pooled>();
  #timer: Timer | undefined;

  constructor(options: SessionPoolOptions) {
    this.#options = { keepAliveMs: 300_000, idleMs: 1_800_000, ...options };
  }

  get size(): number {
    return this.#pooled.size;
  }

  list(): readonly SessionSummary[] {
    const now = this.#options.clock.monotonic();
    return [...this.#pooled.values()].map(({ session, server, username, usedAt }) => ({
      server,
      username,
      isLoggedIn: session.soap.loggedIn,
      idleMs: now - usedAt,
    }));
  }

  get(options: VimSessionOptions): VimSession {
    const key = keyOf(options);
    const { clock, logger } = this.#options;
    let pooled = this.#pooled.get(key);
    if (pooled === undefined) {
      const { server, username } = options;
      pooled = { session: new VimSession(options, clock, logger), server, username, usedAt: 0 };
      this.#pooled.set(key, pooled);
    }
    pooled.usedAt = clock.monotonic();
    this.#timer ??= this.#schedule();
    return pooled.session;
  }

  async dispose(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const sessions = [...this.#pooled.values()];
    this.#pooled.clear();
    await Promise.all(sessions.map((pooled) => this.#close(pooled)));
  }

  #schedule(): Timer {
    return this.#options.clock.setTimer(this.#options.keepAliveMs, () => void this.#checkSessions());
  }

  async #checkSessions(): Promise<void> {
    const now = this.#options.clock.monotonic();
    const waits: Promise<void>[] = [];
    for (const [key, pooled] of this.#pooled) {
      if (now - pooled.usedAt < this.#options.idleMs || pooled.session.updates.size > 0) {
        waits.push(this.#keepAlive(pooled));
      } else {
        this.#pooled.delete(key);
        waits.push(this.#close(pooled));
      }
    }
    await Promise.all(waits);
    if (this.#timer !== undefined) this.#timer = this.#pooled.size === 0 ? undefined : this.#schedule();
  }

  async #keepAlive({ session }: Pooled): Promise<void> {
    try {
      await session.keepAlive();
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'Failed to keep a vCenter session alive');
    }
  }

  async #close({ session }: Pooled): Promise<void> {
    try {
      await session.close();
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'Failed to log out of vCenter');
    }
  }
}

/** Returns the key of a session. It contains only a digest of the password, because keys appear in heap dumps and debuggers. */
function keyOf(options: VimSessionOptions): string {
  const { server, username, password, thumbprint = '', caBundle = '', verify = false } = options;
  const secret = createHash('sha256').update(password).digest('hex');
  const authorities = createHash('sha256').update(caBundle).digest('hex');
  return [addressText(parseServerAddress(server)), username, secret, thumbprint, authorities, String(verify)].join(
    '\n',
  );
}
