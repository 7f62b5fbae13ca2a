import { createHash } from 'node:crypto';
import type { Clock, HttpRequest, HttpResponse, Logger, Random } from '@slipway/base';
import { headerOf } from '../http/message.js';
import type { User } from '../sessions/user.js';
import { Issuer, type OidcClient } from './issuer.js';
import { equal, SignInTickets } from './sign-in-ticket.js';

export interface OidcSignInDependencies {
  /** Returns the current registration, or undefined while sign-in with OpenID Connect is not configured. */
  readonly client: () => OidcClient | undefined;
  readonly authenticateToken: (token: string) => Promise<User | undefined>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether browsers reach the console over TLS. */
  readonly secure: boolean;
}

/** Why a sign-in failed. The page has a message for each: text from the URL is never shown. */
type Failure = 'denied' | 'expired' | 'refused' | 'unavailable';

class SignInFailed extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
  ) {
    super(message);
  }
}

const home = '/console/';
const folder = `${home}oidc/`;
const callbackPath = `${folder}callback`;

/** Signs users in by the authorization code flow of OpenID Connect with PKCE (RFC 7636). */
export class OidcSignIn {
  readonly #tickets: SignInTickets;
  /** Has a random part, because all ports of a host share their cookies. */
  readonly #cookie: string;
  #issuer: Issuer | undefined;

  constructor(private readonly dependencies: OidcSignInDependencies) {
    this.#tickets = new SignInTickets(dependencies.random);
    this.#cookie = `slipway-sign-in-${Buffer.from(dependencies.random.bytes(4)).toString('hex')}`;
  }

  /** The host name of the issuer for the sign-in page, or undefined if sign-in is not configured. */
  get issuerName(): string | undefined {
    const client = this.dependencies.client();
    return client && new URL(client.issuer).host;
  }

  /** Redirects the browser to the issuer. */
  async begin(request: HttpRequest, query: URLSearchParams): Promise<HttpResponse> {
    try {
      const issuer = this.#current();
      const { authorization } = await issuer.endpoints();
      const ticket = this.#tickets.issue(this.dependencies.clock.now(), pageOf(query.get('to') ?? ''));
      const { state, nonce, verifier } = this.#tickets.secretsOf(ticket);
      const url = new URL(authorization);
      const parameters = {
        response_type: 'code',
        client_id: issuer.client.clientId,
        redirect_uri: this.#redirectUri(request),
        scope: issuer.client.scopes.join(' '),
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return redirect(url.href, this.#ticketCookie(ticket, 600));
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Handles the response of the issuer. `open` creates the session and returns its cookie. */
  async finish(request: HttpRequest, query: URLSearchParams, open: (user: User) => string): Promise<HttpResponse> {
    try {
      const issuer = this.#current();
      const ticket = this.#ticketOf(request);
      const valid = this.#tickets.check(ticket, this.dependencies.clock.now());
      const { state, nonce, verifier } = this.#tickets.secretsOf(ticket);
      if (valid === undefined || !equal(query.get('state') ?? '', state))
        throw new SignInFailed('expired', 'the response does not belong to a sign-in of this browser');
      const code = codeOf(query, issuer.client.issuer);
      const token = await issuer.redeem(code, verifier, this.#redirectUri(request));
      const user = await this.dependencies.authenticateToken(token);
      if (user === undefined)
        throw new SignInFailed('refused', 'the API server does not accept the ID token of the issuer');
      try {
        checkClaims(token, issuer.client, nonce);
      } catch (error) {
        user.close();
        throw error;
      }
      return redirect(valid.returnTo, open(user), this.#ticketCookie('', 0));
    } catch (error) {
      return this.#failed(error);
    }
  }

  #current(): Issuer {
    const client = this.dependencies.client();
    if (client === undefined) throw new SignInFailed('unavailable', 'sign-in with OpenID Connect is not configured');
    if (this.#issuer?.client !== client) this.#issuer = new Issuer(client, this.dependencies.clock);
    return this.#issuer;
  }

  /** The issuer accepts only registered redirect URIs, so that a forged Host header cannot divert a code. */
  #redirectUri(request: HttpRequest): string {
    const host = headerOf(request, 'host') || headerOf(request, ':authority');
    return `${this.dependencies.secure ? 'https' : 'http'}://${host}${callbackPath}`;
  }

  /** Lax, not Strict: browsers do not send Strict cookies when another site, the issuer, redirects to this one. */
  #ticketCookie(ticket: string, seconds: number): string {
    const secure = this.dependencies.secure ? '; Secure' : '';
    return `${this.#cookie}=${ticket}; Path=${folder}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  #ticketOf(request: HttpRequest): string {
    for (const part of headerOf(request, 'cookie').split(/[;,]/)) {
      const [name = '', value = ''] = part.trim().split('=');
      if (name === this.#cookie) return value;
    }
    return '';
  }

  #failed(error: unknown): HttpResponse {
    const failure = error instanceof SignInFailed ? error.failure : 'unavailable';
    this.dependencies.logger.warn({ reason: failure, err: error }, 'Failed to sign in with OpenID Connect');
    return redirect(`${home}#sign-in-failed=${failure}`, this.#ticketCookie('', 0));
  }
}

/** Returns the authorization code of the issuer's response. */
function codeOf(query: URLSearchParams, issuer: string): string {
  const named = query.get('iss');
  if (named !== null && named !== issuer)
    throw new SignInFailed('refused', `the response is from the issuer "${named.slice(0, 200)}"`);
  const code = query.get('code');
  if (code !== null && code !== '') return code;
  const problem = query.get('error') ?? 'no code';
  const failure = problem === 'access_denied' ? 'denied' : 'refused';
  throw new SignInFailed(failure, `the issuer responded with ${problem.slice(0, 100)}`);
}

/** Checks what the API server does not know about: for which client and for which sign-in the token was issued. */
function checkClaims(token: string, { clientId }: OidcClient, nonce: string): void {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const { aud, nonce: given } = claims as { readonly aud?: unknown; readonly nonce?: unknown };
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (typeof given !== 'string' || !equal(given, nonce))
    throw new SignInFailed('refused', 'the ID token belongs to another sign-in');
  if (!audiences.includes(clientId)) throw new SignInFailed('refused', 'the ID token is for another client');
}

/** Returns the page to show after the sign-in. Other sites are not accepted, so that no link leads away from the console. */
function pageOf(to: string): string {
  return /^\/console\/[\w./?=&%-]{0,500}$/.test(to) && !to.startsWith(folder) && !to.startsWith(`${home}api/`)
    ? to
    : home;
}

function redirect(location: string, ...cookies: readonly string[]): HttpResponse {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'set-cookie': [...cookies] },
    body: undefined,
  };
}
