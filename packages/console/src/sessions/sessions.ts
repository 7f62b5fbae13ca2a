import { timingSafeEqual } from 'node:crypto';
import type { Clock, HttpRequest, Random } from '@slipway/base';
import { headerOf, Refusal } from '../http/message.js';
import type { Person } from './person.js';

export interface Session {
  readonly id: string;
  readonly person: Person;
  /** Only our own pages can read it, and send it back. */
  readonly csrf: string;
  usedAt: number;
  /** Aborted when the session ends: its streams end with it. */
  readonly ended: AbortController;
  /** Whether its cookie has come back: until then its answer may have been lost on the way. */
  isSeen: boolean;
}

interface Invite {
  readonly person: Person;
  readonly at: number;
  session?: Session;
}

const idleMsMax = 8 * 3_600_000;
const sessionsMax = 500;
/** Sessions of one user. The least recently used one ends when the user signs in again. */
const sessionsPerUserMax = 20;
const inviteMsMax = 5 * 60_000;

export interface SessionsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Called before a session is removed. */
  readonly onEnd: (session: Session) => void;
}

/** The sessions of signed-in users, in memory: a restart signs all users out. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #invites = new Map<string, Invite>();
  /** Cookies do not know ports: two consoles on one machine must not take each other's. */
  readonly #cookie: string;

  constructor(private readonly options: SessionsOptions) {
    this.#cookie = `slipway-console-${token(options.random, 4)}`;
  }

  /** A word that signs in once, soon. */
  invite(person: Person): string {
    const code = token(this.options.random, 24);
    this.#invites.set(code, { person, at: this.options.clock.monotonic() });
    return code;
  }

  /**
   * The session of who has the word. It is used up when that session is first seen, not before: a page that is loaded again
   * while it signs in never gets the answer, and has nothing but the word.
   */
  redeem(code: string): Session | undefined {
    const invite = this.#invites.get(code);
    if (invite === undefined) return undefined;
    if (invite.session?.isSeen === true || this.options.clock.monotonic() - invite.at > inviteMsMax) {
      this.#invites.delete(code);
      return undefined;
    }
    invite.session ??= this.begin(invite.person);
    return invite.session;
  }

  begin(person: Person): Session {
    this.#forgetOld();
    this.#limitUser(person.name);
    if (this.#sessions.size >= sessionsMax) throw new Refusal(503, 'too many users are signed in');
    const { random, clock } = this.options;
    const [id, csrf] = [token(random, 32), token(random, 24)];
    const session = { id, csrf, person, usedAt: clock.monotonic(), isSeen: false, ended: new AbortController() };
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
    session.isSeen = true;
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
    this.#invites.clear();
  }

  #cookieOf(request: HttpRequest): string {
    for (const part of headerOf(request, 'cookie').split(/[;,]/)) {
      const [name = '', value = ''] = part.trim().split('=');
      if (name === this.#cookie) return value;
    }
    return '';
  }

  #limitUser(name: string): void {
    const own = [...this.#sessions.values()].filter(({ person }) => person.name === name);
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

/** Throws unless the request carries the word of its session. */
export function checkCsrf(request: HttpRequest, session: Session): void {
  const [given, wanted] = [Buffer.from(headerOf(request, 'x-csrf-token')), Buffer.from(session.csrf)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Refusal(403, 'the page belongs to an earlier session', 'reload the page');
}

function token(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('base64url');
}
