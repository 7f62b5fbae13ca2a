import type { Clock, Disposable, HttpRequest, HttpResponse, Logger, Random, Timer } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import type { ChangeFeed } from '@slipway/runtime';
import { whoAmI } from './access/reviews.js';
import { Assets } from './http/assets.js';
import { streamResponse } from './http/event-stream.js';
import { jsonResponse, readJson, HttpError } from './http/message.js';
import { checkHost, checkOrigin, isLocal, protect } from './http/protection.js';
import type { OidcClient } from './oidc/issuer.js';
import { OidcSignIn } from './oidc/oidc-sign-in.js';
import { OutlookReader, type ReadOutlooks } from './infrastructure/provider-outlooks.js';
import type { VCenterSession } from './infrastructure/vcenters.js';
import { Planner } from './plan/planner.js';
import { feedOf } from './routes/feed-of.js';
import { Hub } from './routes/hub.js';
import { answerRead } from './routes/reads.js';
import { answerWrite } from './routes/writes.js';
import type { Authenticator, User } from './sessions/user.js';
import { checkCsrf, type Session, Sessions } from './sessions/sessions.js';

export interface ConsoleOptions {
  /** The folder of the built pages. */
  readonly assets: string;
  /** The built module of the planning thread, `plan/plan-thread.ts`. */
  readonly planThread: URL;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether to reject requests with a Host header other than a loopback name. */
  readonly loopbackOnly: boolean;
  /** Whether to restrict cookies to TLS. */
  readonly secure: boolean;
  /** Whether to allow actions from other hosts. By default the console is read-only for other hosts. */
  readonly remoteActions?: boolean;
  /** Returns the vCenter sessions of the management plane. Absent if the management plane runs in another process. */
  readonly vcenterSessions?: () => readonly VCenterSession[];
  /** The changes made by controllers. Absent if the controllers run in another process. */
  readonly changes?: ChangeFeed;
  /** Returns the console's registration at an OpenID Connect issuer. Undefined, or absent, if users cannot sign in there. */
  readonly oidc?: () => OidcClient | undefined;
  /** Reads the available upgrades of providers. */
  readonly readOutlooks?: ReadOutlooks;
}

export const consolePath = '/console';
const credentialCheckMs = 5_000;

/** The web console, as a function from request to response. The function never rejects. */
export class Console implements Disposable {
  readonly #sessions: Sessions;
  readonly #hubs = new Map<string, Hub>();
  readonly #watchedSessions = new WeakSet<Session>();
  readonly #stopping = new AbortController();
  readonly #planner: Planner;
  readonly #outlookReader: OutlookReader | undefined;
  readonly #oidc: OidcSignIn;

  private constructor(
    private readonly options: ConsoleOptions,
    private readonly assets: Assets,
  ) {
    const { clock, readOutlooks: read } = options;
    this.#outlookReader = read && new OutlookReader({ read, clock });
    this.#planner = new Planner({ clock: options.clock, thread: options.planThread });
    this.#oidc = new OidcSignIn({
      ...options,
      client: options.oidc ?? (() => undefined),
      authenticateToken: (token) => options.authenticator.authenticateToken(token),
    });
    this.#sessions = new Sessions({ ...options, onEnd: (session) => this.#ended(session) });
  }

  static async open(options: ConsoleOptions): Promise<Console> {
    return new Console(options, await Assets.load(options.assets));
  }

  /**
   * Returns the path of a link that signs this user in once. Browsers do not send the fragment, so no log contains the
   * code.
   */
  signInLink(user: User): string {
    return `${consolePath}/#code=${this.#sessions.createSignInCode(user)}`;
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    try {
      if (this.options.loopbackOnly) checkHost(request);
      return protect(await this.#answer(request));
    } catch (error) {
      return protect(this.#failure(error));
    }
  }

  async dispose(): Promise<void> {
    this.#stopping.abort();
    this.#sessions.dispose();
    await Promise.all([...this.#hubs.values()].map((hub) => hub.dispose()));
  }

  async #answer(request: HttpRequest): Promise<HttpResponse> {
    const url = new URL(request.url, 'http://console');
    const path = url.pathname.slice(consolePath.length);
    if (path.startsWith('/api/')) return this.#api(request, path.slice('/api/'.length), url.searchParams);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new HttpError(405, `method ${request.method} is not allowed`);
    if (path.startsWith('/oidc/')) return this.#signInAtIssuer(request, path.slice('/oidc/'.length), url.searchParams);
    if (path === '') return { status: 308, headers: { location: `${consolePath}/` }, body: undefined };
    const asset = path.startsWith('/assets/') ? this.assets.respond(request, path.slice('/assets/'.length)) : undefined;
    if (asset !== undefined) return asset;
    if (path.startsWith('/assets/')) throw new HttpError(404, 'file not found');
    // All other paths are routes of the single-page application.
    const page = this.assets.respond(request, 'index.html');
    if (page === undefined) throw new Error('the console is not built: run npm run build');
    return page;
  }

  async #api(request: HttpRequest, name: string, query: URLSearchParams): Promise<HttpResponse> {
    if (request.method === 'POST') checkOrigin(request);
    if (name === 'session') return this.#describeSession(request);
    if (name === 'sign-in' && request.method === 'POST') return this.#signIn(request);
    const session = this.#sessions.of(request);
    if (session === undefined) throw new HttpError(401, 'you are not signed in');
    if (request.method === 'GET') return this.#read(session, name, query);
    if (request.method !== 'POST') throw new HttpError(405, `method ${request.method} is not allowed`);
    checkCsrf(request, session);
    if (name === 'sign-out') return this.#signOut(session);
    return this.#write(session, name, request);
  }

  #write(session: Session, name: string, request: HttpRequest): Promise<HttpResponse> {
    const closed = new AbortController();
    request.onClose(() => closed.abort(new HttpError(499, 'the client closed the connection')));
    const { user } = session;
    const { clock } = this.options;
    const context = {
      user,
      planner: this.#planner,
      outlookReader: this.#outlookReader,
      clock,
      mayAct: this.#mayAct(request),
    };
    return readJson(request).then((fields) => answerWrite({ ...context, signal: closed.signal }, name, fields));
  }

  #read(session: Session, name: string, query: URLSearchParams): HttpResponse | Promise<HttpResponse> {
    if (name === 'stream') {
      const feed = feedOf(this.#hubOf(session), query);
      this.#watchCredentials(session);
      const signal = AbortSignal.any([this.#stopping.signal, session.ended.signal]);
      return streamResponse({ feed, clock: this.options.clock, signal });
    }
    return answerRead(session.user, name, query);
  }

  async #describeSession(request: HttpRequest): Promise<HttpResponse> {
    const session = this.#sessions.of(request);
    if (session !== undefined) return jsonResponse(200, this.#sessionInfo(session, request));
    const { clientCertificate } = request;
    const user = clientCertificate && (await this.options.authenticator.authenticateCertificate?.(clientCertificate));
    return user === undefined
      ? jsonResponse(200, { user: null, issuer: this.#oidc.issuerName })
      : this.#begin(user, request);
  }

  async #signIn(request: HttpRequest): Promise<HttpResponse> {
    const { code, token } = await readJson(request);
    if (typeof code === 'string') {
      const session = this.#sessions.redeemSignInCode(code);
      if (session !== undefined) return this.#signInResponse(session, request);
      throw new HttpError(401, 'this link has expired or was already used', 'run `slipway console` for a new link');
    }
    const user =
      typeof token === 'string' ? await this.options.authenticator.authenticateToken(token.trim()) : undefined;
    if (user !== undefined) return this.#begin(user, request);
    throw new HttpError(401, 'the management cluster does not accept this token');
  }

  #signInAtIssuer(request: HttpRequest, step: string, query: URLSearchParams): Promise<HttpResponse> {
    if (step === 'start') return this.#oidc.begin(request, query);
    if (step !== 'callback') throw new HttpError(404, 'page not found');
    return this.#oidc.finish(request, query, (user) =>
      this.#sessions.cookieFor(this.#sessions.begin(user), this.options.secure),
    );
  }

  #begin(user: User, request: HttpRequest): HttpResponse {
    return this.#signInResponse(this.#sessions.begin(user), request);
  }

  #signInResponse(session: Session, request: HttpRequest): HttpResponse {
    const response = jsonResponse(200, this.#sessionInfo(session, request));
    response.headers['set-cookie'] = this.#sessions.cookieFor(session, this.options.secure);
    return response;
  }

  #signOut(session: Session): HttpResponse {
    this.#sessions.end(session);
    const response = jsonResponse(200, { user: null });
    response.headers['set-cookie'] = this.#sessions.cookieFor(undefined, this.options.secure);
    return response;
  }

  #sessionInfo({ user, csrf }: Session, request: HttpRequest): object {
    return { user: user.name, csrf, mayAct: this.#mayAct(request), issuer: this.#oidc.issuerName };
  }

  #mayAct(request: HttpRequest): boolean {
    return this.options.remoteActions === true || isLocal(request);
  }

  #hubOf(session: Session): Hub {
    const existing = this.#hubs.get(session.id);
    if (existing !== undefined) return existing;
    const hub = new Hub({ ...this.options, outlookReader: this.#outlookReader, user: session.user });
    this.#hubs.set(session.id, hub);
    return hub;
  }

  /** Ends the session when the API server no longer accepts its credentials. An open stream sends no request that would fail. */
  #watchCredentials(session: Session): void {
    if (this.#watchedSessions.has(session)) return;
    this.#watchedSessions.add(session);
    // The user name according to the API server. It may differ from the display name, which may be the name of a kubeconfig
    // context.
    let username: string | undefined;
    const check = async (): Promise<void> => {
      const answer = await whoAmI(session.user.client).catch((error: unknown) =>
        error instanceof StatusError && error.code === 401 ? null : undefined,
      );
      // Only a 401 or another user ends the session. After any other error the server may just be unreachable.
      if (typeof answer === 'string') username ??= answer;
      if (answer === undefined || answer === username) schedule();
      else this.#sessions.end(session);
    };
    let timer: Timer | undefined;
    const schedule = (): void => {
      if (!session.ended.signal.aborted) timer = this.options.clock.setTimer(credentialCheckMs, () => void check());
    };
    session.ended.signal.addEventListener('abort', () => timer?.cancel(), { once: true });
    void check();
  }

  #ended(session: Session): void {
    const hub = this.#hubs.get(session.id);
    this.#hubs.delete(session.id);
    const closed = hub?.dispose() ?? Promise.resolve();
    void closed.finally(() => session.user.close());
  }

  #failure(error: unknown): HttpResponse {
    if (error instanceof HttpError)
      return jsonResponse(error.status, { error: error.message, ...(error.remedy !== '' && { remedy: error.remedy }) });
    if (error instanceof StatusError) return jsonResponse(error.code, { error: error.message });
    this.options.logger.error({ err: error }, 'Console request failed');
    return jsonResponse(500, { error: 'internal error; the log of the console contains the details' });
  }
}
