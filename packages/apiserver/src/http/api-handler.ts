import { type Clock, headerText, type HttpRequest, type HttpResponse, type Logger, type Random } from '@slipway/base';
import { generateUid, internalError, StatusError } from '@slipway/kube';
import type { AccessRequest, Authorizer, Credentials, Registry, UserInfo } from '../contract/index.js';
import { accessOf, authorizeRequest } from './authorize.js';
import type { DecodeProtobuf } from './body.js';
import { HealthChecks } from './health.js';
import type { ActiveRequest, RequestMetrics } from './metrics.js';
import { isPretty, negotiateError } from './negotiate.js';
import { type DocumentRoutes, NonResourceHandler } from './non-resource-handler.js';
import { parseRequestTimeoutMs } from './options.js';
import { RequestContext } from './request-context.js';
import { parseRequestInfo, type RequestInfo } from './request-info.js';
import { ResourceHandler } from './resource-handler.js';
import {
  type AdmittedForward,
  checkForward,
  forwardEndpoint,
  portsOf,
  type RefusedForward,
} from './port-forward/admit.js';
import { compress, respondError } from './respond.js';
import { ShutdownSignal } from './shutdown-signal.js';

const requestTimeoutMsDefault = 60_000;

export interface ApiHandlerOptions {
  readonly registry: Registry;
  /**
   * Authentication and impersonation in one: anonymous where there are no credentials. `access` is what the user is about to
   * do. Throws 401, 403 or 400.
   */
  resolveUser(credentials: Credentials, access: Omit<AccessRequest, 'user'>): UserInfo | Promise<UserInfo>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly health?: HealthChecks;
  readonly metrics?: RequestMetrics;
  readonly decodeProtobuf?: DecodeProtobuf;
  /** Pages beside the API: `/metrics`, `/openid/v1/jwks`, `/.well-known/openid-configuration` … */
  readonly documents?: DocumentRoutes;
  /** `host:port` as clients reach it, for the old discovery documents. */
  readonly serverAddress?: () => string;
  /** The ceiling of `?timeout=` and the limit of requests without. */
  readonly requestTimeoutMs?: number;
  /** How many requests may be in the works at once, watches not counted; beyond that clients are told to come back. */
  readonly inflightMax?: { readonly readOnly: number; readonly mutating: number };
}

// Reads are answered from memory and rarely overlap; writes wait for the disk, each with its body in memory.
const inflightMaxDefault = { readOnly: 2_000, mutating: 500 };

const forbiddenAuditId = /[^\x20-\x7e]/;

/**
 * The API as a function from request to response, without a socket in sight: authenticates, authorizes, routes, answers.
 * Never rejects: whatever goes wrong is a Status.
 */
export class ApiHandler {
  readonly health: HealthChecks;
  readonly #shutdown = new ShutdownSignal();
  readonly #resources: ResourceHandler;
  readonly #others: NonResourceHandler;
  readonly #requestTimeoutMs: number;
  readonly #inflight = { readOnly: 0, mutating: 0 };
  readonly #mounts = new Map<string, (request: HttpRequest) => Promise<HttpResponse>>();

  constructor(private readonly options: ApiHandlerOptions) {
    const { registry, clock, random, decodeProtobuf, metrics } = options;
    this.health = options.health ?? new HealthChecks();
    this.health.register({ name: 'shutdown', endpoints: ['readyz'], check: () => this.#shutdown.assertRunning() });
    this.#requestTimeoutMs = options.requestTimeoutMs ?? requestTimeoutMsDefault;
    this.#resources = new ResourceHandler({
      registry,
      clock,
      random,
      decodeProtobuf,
      onShutdown: (callback) => this.#shutdown.subscribe(callback),
      onFailure: ({ info }, error) =>
        options.logger.error({ err: error, path: info.path }, 'Watch failed unexpectedly'),
      watchStarted: (context) =>
        metrics?.watchStarted(context.info) ?? { events: () => undefined, end: () => undefined },
    });
    this.#others = new NonResourceHandler({
      registry,
      health: this.health,
      documents: options.documents ?? new Map(),
      serverAddress: options.serverAddress ?? (() => ''),
    });
  }

  /** Ends every watch with a clean end of its body, and makes `/readyz` fail. New requests are still answered. */
  shutdown(): void {
    this.#shutdown.fire();
  }

  /** Leaves everything below a path to somebody who knows his visitors by other means than the API does. */
  mount(path: string, handle: (request: HttpRequest) => Promise<HttpResponse>): void {
    this.#mounts.set(path, handle);
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    const mounted = this.#mounts.get(/^\/[^/?]*/.exec(request.url)?.[0] ?? '');
    if (mounted !== undefined) return mounted(request);
    const startedAt = this.options.clock.monotonic();
    const active = this.options.metrics?.started(request.method);
    let info: RequestInfo | undefined;
    let response: HttpResponse;
    let context: RequestContext | undefined;
    try {
      info = parseRequestInfo(request.method, request.url);
      const access = accessOf(info);
      const user = await this.options.resolveUser(request, access);
      authorizeRequest(this.options.authorizer, user, access);
      context = new RequestContext(request, info, user, this.options.clock, this.options.authorizer);
      response = await this.#dispatch(context);
    } catch (error) {
      response = this.#failure(request, info, error);
    }
    if (request.method === 'HEAD') response = { ...response, body: undefined };
    this.#decorate(response, request, context);
    this.#record(info, request, response, startedAt, active);
    return response;
  }

  /**
   * Whether the request may leave HTTP to reach ports of a pod, and of which. Without somebody who connects to pods the
   * answer is a refusal, in upstream's words as far as it would get.
   */
  async admitForward(request: HttpRequest, hasForwarder: boolean): Promise<AdmittedForward | RefusedForward> {
    try {
      const info = parseRequestInfo(request.method, request.url);
      const access = accessOf(info);
      const user = await this.options.resolveUser(request, access);
      authorizeRequest(this.options.authorizer, user, access);
      const { namespace, name } = info;
      const endpoint = forwardEndpoint(this.options.registry, info);
      const context = new RequestContext(request, info, user, this.options.clock, this.options.authorizer);
      const { object } = await endpoint.get(context, namespace, name);
      checkForward(object, hasForwarder);
      return { pod: { namespace, name }, ports: portsOf(info.query.getAll('ports')) };
    } catch (error) {
      return { refusal: this.refuse(request, error) };
    }
  }

  /** The answer to a request that cannot be served. */
  refuse(request: HttpRequest, error: unknown): HttpResponse {
    const response = this.#failure(request, undefined, error);
    this.#decorate(response, request, undefined);
    return response;
  }

  async #dispatch(context: RequestContext): Promise<HttpResponse> {
    if (context.info.verb === 'watch' && context.info.isResource) return this.#resources.handle(context);
    const kind = context.info.method === 'GET' || context.info.method === 'HEAD' ? 'readOnly' : 'mutating';
    const max = (this.options.inflightMax ?? inflightMaxDefault)[kind];
    if (this.#inflight[kind] >= max) throw tooManyRequests();
    this.#inflight[kind] += 1;
    try {
      return await this.#answer(context);
    } finally {
      this.#inflight[kind] -= 1;
    }
  }

  async #answer(context: RequestContext): Promise<HttpResponse> {
    const timeoutMs = parseRequestTimeoutMs(context.info.query, this.#requestTimeoutMs);
    const work = context.info.isResource ? this.#resources.handle(context) : this.#others.handle(context);
    return compress(await this.#withDeadline(context, timeoutMs, work), context.request.headers);
  }

  #withDeadline(context: RequestContext, timeoutMs: number, work: Promise<HttpResponse>): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const timer = this.options.clock.setTimer(timeoutMs, () => {
        const error = requestTimedOut();
        context.abort(error);
        reject(error);
      });
      work.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  #failure(request: HttpRequest, info: RequestInfo | undefined, error: unknown): HttpResponse {
    const accept = headerText(request.headers, 'accept');
    const userAgent = headerText(request.headers, 'user-agent') ?? '';
    const negotiated = { encoding: negotiateError(accept), pretty: isPretty(info?.query.get('pretty'), userAgent) };
    if (error instanceof StatusError) return respondError(error, negotiated);
    this.options.logger.error(
      { err: error, method: request.method, path: pathOf(request.url) },
      'Request failed unexpectedly',
    );
    return respondError(internalError(error instanceof Error ? error.message : String(error)), negotiated);
  }

  #decorate(response: HttpResponse, request: HttpRequest, context: RequestContext | undefined): void {
    const { headers } = response;
    headers['audit-id'] = this.#auditId(headerText(request.headers, 'audit-id'));
    headers['cache-control'] ??= 'no-cache, private';
    const warnings = context?.warnings.headers();
    if (warnings !== undefined) headers['warning'] = warnings;
  }

  #auditId(given: string | undefined): string {
    if (given !== undefined && given !== '' && given.length <= 64 && !forbiddenAuditId.test(given)) return given;
    return generateUid(this.options.random);
  }

  #record(
    info: RequestInfo | undefined,
    request: HttpRequest,
    response: HttpResponse,
    startedAt: number,
    active: ActiveRequest | undefined,
  ): void {
    const durationMs = this.options.clock.monotonic() - startedAt;
    active?.finished(info, headerText(request.headers, 'content-type'), response.status, durationMs / 1_000);
    const { logger } = this.options;
    const fields = {
      method: request.method,
      path: info?.path ?? pathOf(request.url),
      status: response.status,
      durationMs: Math.round(durationMs * 100) / 100,
      userAgent: headerText(request.headers, 'user-agent') ?? '',
      remoteAddress: request.remoteAddress,
      auditId: response.headers['audit-id'],
    };
    if (response.status >= 500) logger.warn(fields, 'Request failed');
    else logger.debug(fields, 'Request handled');
  }
}

/** Queries may hold tokens: only the path is ever logged. */
function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}

function tooManyRequests(): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: 'Too many requests, please try again later.',
    details: { retryAfterSeconds: 1 },
  });
}

function requestTimedOut(): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
    details: {},
  });
}
