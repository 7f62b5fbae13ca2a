import { timingSafeEqual } from 'node:crypto';
import type { Clock, HttpRequest, Random } from '@slipway/base';
import { headerOf, HttpError } from '../http/message.js';
import type { User } from './user.js';

export interface Session {
  readonly id: string;
  readonly user: User;
  /** CSRF token: other sites cannot read it, so only the console's own pages can send it. */
  readonly csrf: string;
  usedAt: number;
  /** Aborted when the session ends, which ends its streams. */
  readonly ended: AbortController;
  /** Whether a request has used the session's cookie. Until then the sign-in response may have been lost. */
  isConfirmed: boolean;
}

interface SignInCode {
  readonly user: User;
  readonly at: number;
  session?: Session;
}

const idleMsMax = 8 * 3_600_000;
const sessionsMax = 500;
/** Maximum number of sessions of one user. When it is exceeded, the least recently used session ends. */
const sessionsPerUserMax = 20;
const signInCodeMsMax = 5 * 60_000;

export interface SessionsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Called before a session is removed. */
  readonly onEnd: (session: Session) => void;
}

/** The sessions of signed-in users, in memory: a restart signs all users out. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #signInCodes = new Map<string, SignInCode>();
  /**
   * Name of the session cookie. It contains a random part, because all ports of a host share their cookies, and two consoles must
   * not overwrite each other's cookie.
   */
  readonly #cookie: string;

  constructor(private readonly options: SessionsOptions) {
    this.#cookie = `slipway-console-${token(options.random, 4)}`;
  }

  /** Returns a sign-in code that is valid once, for a short time. */
  createSignInCode(user: User): string {
    const code = token(this.options.random, 24);
    this.#signInCodes.set(code, { user, at: this.options.clock.monotonic() });
    return code;
  }

  /**
   * Returns the session of a sign-in code. The code stays valid until the session's cookie is first used: a page that
   * is reloaded during sign-in loses the response and has only the code.
   */
  redeemSignInCode(code: string): Session | undefined {
    const issued = this.#signInCodes.get(code);
    if (issued === undefined) return undefined;
    if (issued.session?.isConfirmed === true || this.options.clock.monotonic() - issued.at > signInCodeMsMax) {
      this.#signInCodes.delete(code);
      return undefined;
    }
    issued.session ??= this.begin(issued.user);
    return issued.session;
  }

  begin(user: User): Session {
    this.#forgetOld();
    this.#limitUser(user.name);
    if (this.#sessions.size >= sessionsMax) throw new HttpError(503, 'too many users are signed in');
    const { random, clock } = this.options;
    const [id, csrf] = [token(random, 32), token(random, 24)];
    const session = { id, csrf, user, usedAt: clock.monotonic(), isConfirmed: false, ended: new AbortController() };
    this.#sessions.set(session.id, session);
    return session;
  }

  of(request: HttpRequest): Session | undefined {
    const session = this.#sessions.get(this.#cookieOf(request));
    if (session === undefined) return undefined;
    const now = this.options.clock.monotonic();
    if (now - session.usedAt > idleMsMax) {
      this.end(session);
      return undefined;
    }
    session.usedAt = now;
    session.isConfirmed = true;
    return session;
  }

  end(session: Session): void {
    if (!this.#sessions.delete(session.id)) return;
    session.ended.abort();
    this.options.onEnd(session);
  }

  cookieFor(session: Session | undefined, isSecure: boolean): string {
    const attributes = `Path=/console; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    return session === undefined
      ? `${this.#cookie}=; Max-Age=0; ${attributes}`
      : `${this.#cookie}=${session.id}; ${attributes}`;
  }

  dispose(): void {
    for (const session of this.#sessions.values()) this.end(session);
    this.#signInCodes.clear();
  }

  #cookieOf(request: HttpRequest): string {
    for (const part of headerOf(request, 'cookie').split(/[;,]/)) {
      const [name = '', value = ''] = part.trim().split('=');
      if (name === this.#cookie) return value;
    }
    return '';
  }

  #limitUser(name: string): void {
    const own = [...this.#sessions.values()].filter(({ user }) => user.name === name);
    const surplus = own.length - sessionsPerUserMax + 1;
    if (surplus <= 0) return;
    for (const session of own.toSorted((left, right) => left.usedAt - right.usedAt).slice(0, surplus))
      this.end(session);
  }

  #forgetOld(): void {
    const now = this.options.clock.monotonic();
    for (const session of this.#sessions.values()) if (now - session.usedAt > idleMsMax) this.end(session);
  }
}

/** Throws unless the request has the CSRF token of its session. */
export function checkCsrf(request: HttpRequest, session: Session): void {
  const [given, wanted] = [Buffer.from(headerOf(request, 'x-csrf-token')), Buffer.from(session.csrf)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new HttpError(403, 'the page belongs to an earlier session', 'reload the page');
}

function token(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('base64url');
}
