import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '@slipway/base';

/** What one sign-in at an issuer needs, derived from the ticket that the browser keeps in a cookie. */
export interface SignInSecrets {
  /** Ties the response of the issuer to this browser. */
  readonly state: string;
  /** Ties the ID token to this sign-in. */
  readonly nonce: string;
  /** The PKCE code verifier of RFC 7636. */
  readonly verifier: string;
}

const ticketMsMax = 10 * 60_000;

/**
 * Issues and checks tickets. All values of a sign-in are computed from the ticket with a key of this process: anyone can start
 * sign-ins, so the server keeps nothing for them.
 */
export class SignInTickets {
  readonly #key: Buffer;

  constructor(private readonly random: Random) {
    this.#key = Buffer.from(random.bytes(32));
  }

  /** Returns a ticket: a random part, the time, the page to return to, and their authentication code. */
  issue(now: number, returnTo: string): string {
    const id = Buffer.from(this.random.bytes(16)).toString('base64url');
    const content = `${id}.${now}.${Buffer.from(returnTo).toString('base64url')}`;
    return `${content}.${this.#derive('ticket', content)}`;
  }

  /** Returns the page to return to, or undefined for a ticket that is invalid or older than ten minutes. */
  check(ticket: string, now: number): { readonly returnTo: string } | undefined {
    const end = ticket.lastIndexOf('.');
    const content = ticket.slice(0, Math.max(end, 0));
    if (!equal(ticket.slice(end + 1), this.#derive('ticket', content))) return undefined;
    const [, issuedAt = '', returnTo = ''] = content.split('.');
    const age = now - Number(issuedAt);
    if (age < 0 || age > ticketMsMax) return undefined;
    return { returnTo: Buffer.from(returnTo, 'base64url').toString('utf8') };
  }

  secretsOf(ticket: string): SignInSecrets {
    return {
      state: this.#derive('state', ticket),
      nonce: this.#derive('nonce', ticket),
      verifier: this.#derive('verifier', ticket),
    };
  }

  #derive(purpose: string, text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}:${text}`).digest('base64url');
  }
}

/** Compares two texts in constant time. */
export function equal(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
