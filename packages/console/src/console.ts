import type { Clock, Disposable, HttpRequest, HttpResponse, Logger, Random, Timer } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import type { ChangeFeed } from '@slipway/runtime';
import { whoAmI } from './access/reviews.js';
import { Assets } from './http/assets.js';
import { streamResponse } from './http/event-stream.js';
import { jsonResponse, readJson, Refusal } from './http/message.js';
import { checkHost, checkOrigin, isLocal, protect } from './http/protection.js';
import { OutlookDesk, type ReadOutlooks } from './infrastructure/provider-outlooks.js';
import type { VCenterSession } from './infrastructure/vcenters.js';
import { Planner } from './plan/planner.js';
import { feedOf } from './routes/feed-of.js';
import { Hub } from './routes/hub.js';
import { answerRead } from './routes/reads.js';
import { answerWrite } from './routes/writes.js';
import type { Doorkeeper, Person } from './sessions/person.js';
import { checkCsrf, type Session, Sessions } from './sessions/sessions.js';

export interface ConsoleOptions {
  /** The folder of the built pages. */
  readonly assets: string;
  /** The built module of the thread that plans: `plan/plan-thread.ts`. */
  readonly planThread: URL;
  readonly doorkeeper: Doorkeeper;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether it answers under names of this machine only. */
  readonly loopbackOnly: boolean;
  /** Whether cookies go over TLS only. */
  readonly secure: boolean;
  /** Allows actions from other hosts. Without it the console is read-only there. */
  readonly remoteActions?: boolean;
  /** The sessions that the management plane has at vCenters, where it is in this process. */
  readonly vcenterSessions?: () => readonly VCenterSession[];
  /** The changes of the controllers, where they run in this process. */
  readonly changes?: ChangeFeed;
  /** Who knows of newer versions of providers. */
  readonly readOutlooks?: ReadOutlooks;
}

export const consolePath = '/console';
const credentialCheckMs = 5_000;

/** The web console as a function from request to response. Never rejects. */
export class Console implements Disposable {
  readonly #sessions: Sessions;
  readonly #hubs = new Map<string, Hub>();
  readonly #guarded = new WeakSet<Session>();
  readonly #stopping = new AbortController();
  readonly #planner: Planner;
  readonly #desk: OutlookDesk | undefined;

  private constructor(
    private readonly options: ConsoleOptions,
    private readonly assets: Assets,
  ) {
    const { clock, readOutlooks: read } = options;
    this.#desk = read && new OutlookDesk({ read, clock });
    this.#planner = new Planner({ clock: options.clock, thread: options.planThread });
    this.#sessions = new Sessions({ ...options, onEnd: (session) => this.#ended(session) });
  }

  static async open(options: ConsoleOptions): Promise<Console> {
    return new Console(options, await Assets.load(options.assets));
  }

  /** The path of a link by which this person signs in, once. What stands behind `#` is never sent, so that no log has it. */
  inviteLink(person: Person): string {
    return `${consolePath}/#code=${this.#sessions.invite(person)}`;
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
      throw new Refusal(405, `method ${request.method} is not allowed`);
    if (path === '') return { status: 308, headers: { location: `${consolePath}/` }, body: undefined };
    const asset = path.startsWith('/assets/') ? this.assets.respond(request, path.slice('/assets/'.length)) : undefined;
    if (asset !== undefined) return asset;
    if (path.startsWith('/assets/')) throw new Refusal(404, 'file not found');
    // Every other path is a place within the pages.
    const page = this.assets.respond(request, 'index.html');
    if (page === undefined) throw new Error('the console is not built: run npm run build');
    return page;
  }

  async #api(request: HttpRequest, name: string, query: URLSearchParams): Promise<HttpResponse> {
    if (request.method === 'POST') checkOrigin(request);
    if (name === 'session') return this.#describeSession(request);
    if (name === 'sign-in' && request.method === 'POST') return this.#signIn(request);
    const session = this.#sessions.of(request);
    if (session === undefined) throw new Refusal(401, 'you are not signed in');
    if (request.method === 'GET') return this.#read(session, name, query);
    if (request.method !== 'POST') throw new Refusal(405, `method ${request.method} is not allowed`);
    checkCsrf(request, session);
    if (name === 'sign-out') return this.#signOut(session);
    return this.#write(session, name, request);
  }

  #write(session: Session, name: string, request: HttpRequest): Promise<HttpResponse> {
    const leaving = new AbortController();
    request.onClose(() => leaving.abort(new Refusal(499, 'the client closed the connection')));
    const { person } = session;
    const { clock } = this.options;
    const world = { person, planner: this.#planner, desk: this.#desk, clock, mayAct: this.#mayAct(request) };
    return readJson(request).then((fields) => answerWrite({ ...world, signal: leaving.signal }, name, fields));
  }

  #read(session: Session, name: string, query: URLSearchParams): HttpResponse | Promise<HttpResponse> {
    if (name === 'stream') {
      const feed = feedOf(this.#hubOf(session), query);
      this.#guard(session);
      const signal = AbortSignal.any([this.#stopping.signal, session.ended.signal]);
      return streamResponse({ feed, clock: this.options.clock, signal });
    }
    return answerRead(session.person, name, query);
  }

  async #describeSession(request: HttpRequest): Promise<HttpResponse> {
    const known = this.#sessions.of(request);
    if (known !== undefined) return jsonResponse(200, this.#about(known, request));
    const { clientCertificate } = request;
    const person = clientCertificate && (await this.options.doorkeeper.byCertificate?.(clientCertificate));
    return person === undefined ? jsonResponse(200, { user: null }) : this.#begin(person, request);
  }

  async #signIn(request: HttpRequest): Promise<HttpResponse> {
    const { code, token } = await readJson(request);
    if (typeof code === 'string') {
      const session = this.#sessions.redeem(code);
      if (session !== undefined) return this.#welcome(session, request);
      throw new Refusal(401, 'this link has expired or was already used', 'run `slipway console` for a new link');
    }
    const person = typeof token === 'string' ? await this.options.doorkeeper.byToken(token.trim()) : undefined;
    if (person !== undefined) return this.#begin(person, request);
    throw new Refusal(401, 'the management cluster does not accept this token');
  }

  #begin(person: Person, request: HttpRequest): HttpResponse {
    return this.#welcome(this.#sessions.begin(person), request);
  }

  #welcome(session: Session, request: HttpRequest): HttpResponse {
    const response = jsonResponse(200, this.#about(session, request));
    response.headers['set-cookie'] = this.#sessions.cookieFor(session, this.options.secure);
    return response;
  }

  #signOut(session: Session): HttpResponse {
    this.#sessions.end(session);
    const response = jsonResponse(200, { user: null });
    response.headers['set-cookie'] = this.#sessions.cookieFor(undefined, this.options.secure);
    return response;
  }

  #about({ person, csrf }: Session, request: HttpRequest): object {
    return { user: person.name, csrf, mayAct: this.#mayAct(request) };
  }

  #mayAct(request: HttpRequest): boolean {
    return this.options.remoteActions === true || isLocal(request);
  }

  #hubOf(session: Session): Hub {
    const known = this.#hubs.get(session.id);
    if (known !== undefined) return known;
    const made = new Hub({ ...this.options, desk: this.#desk, person: session.person });
    this.#hubs.set(session.id, made);
    return made;
  }

  /** Ends the session when its credentials are no longer accepted: a stream sends no request that would notice. */
  #guard(session: Session): void {
    if (this.#guarded.has(session)) return;
    this.#guarded.add(session);
    // The name that the console shows may be another one, for example that of the kubeconfig's context.
    let username: string | undefined;
    const check = async (): Promise<void> => {
      const answer = await whoAmI(session.person.client).catch((error: unknown) =>
        error instanceof StatusError && error.code === 401 ? null : undefined,
      );
      // Without an answer nothing is known: the server may be unreachable.
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
    void closed.finally(() => session.person.close());
  }

  #failure(error: unknown): HttpResponse {
    if (error instanceof Refusal)
      return jsonResponse(error.status, { error: error.message, ...(error.remedy !== '' && { remedy: error.remedy }) });
    if (error instanceof StatusError) return jsonResponse(error.code, { error: error.message });
    this.options.logger.error({ err: error }, 'Console request failed');
    return jsonResponse(500, { error: 'internal error; the log of the console contains the details' });
  }
}
