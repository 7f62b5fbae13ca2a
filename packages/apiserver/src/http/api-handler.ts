import { type Clock, headerText, type HttpRequest, type HttpResponse, type Logger, type Random } from '@slipway/base';
import { generateUid, internalError, StatusError } from '@slipway/kube';
import type { Auditor } from '../audit/index.js';
import type {
  AccessRequest,
  AuthenticationObserver,
  Authorizer,
  Credentials,
  Registry,
  UserInfo,
} from '../contract/index.js';
import { accessOf, authorizeRequest } from './authorize.js';
import { type DecodeProtobuf, parseAhead, type ParseLargeYaml } from './body.js';
import { FlowControl, type FlowLimits, type FlowPlace, requestTimedOut } from './flow-control/flow-control.js';
import type { PriorityLevels } from './flow-control/priority-levels.js';
import { HealthChecks } from './health.js';
import type { ActiveRequest, RequestMetrics } from './metrics.js';
import { isPretty, negotiateError } from './negotiate.js';
import { type DocumentRoutes, NonResourceHandler } from './non-resource-handler.js';
import { parseRequestTimeoutMs } from './options.js';
import { RequestAudit } from './request-audit.js';
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
   * Authenticates a request and applies impersonation; anonymous without credentials. `access` is the requested access. Throws
   * 401, 403 or 400.
   */
  resolveUser(
    credentials: Credentials,
    access: Omit<AccessRequest, 'user'>,
    observer?: AuthenticationObserver,
  ): UserInfo | Promise<UserInfo>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly health?: HealthChecks;
  readonly metrics?: RequestMetrics;
  /** Records requests in the audit log. */
  readonly auditor?: Auditor;
  readonly decodeProtobuf?: DecodeProtobuf;
  /** Parses large YAML bodies on another thread. Without it, they are parsed on this thread. */
  readonly parseLargeYaml?: ParseLargeYaml;
  /** Non-resource documents: `/metrics`, `/openid/v1/jwks`, `/.well-known/openid-configuration` … */
  readonly documents?: DocumentRoutes;
  /** Returns the external `host:port` for legacy discovery documents. */
  readonly serverAddress?: () => string;
  /** Maximum of `?timeout=`, and the timeout of requests without it. */
  readonly requestTimeoutMs?: number;
  /** Limits on concurrent requests, watches excluded. Further requests wait, or get 429 with Retry-After. */
  readonly flowLimits?: FlowLimits;
  /** Limits that FlowSchema and PriorityLevelConfiguration objects define. */
  readonly priorityLevels?: PriorityLevels;
}

const forbiddenAuditId = /[^\x20-\x7e]/;

/**
 * The API as a function from request to response, independent of sockets: authenticates, authorizes and routes requests.
 * Never rejects: failures become Status responses.
 */
export class ApiHandler {
  readonly health: HealthChecks;
  readonly #shutdown = new ShutdownSignal();
  readonly #resources: ResourceHandler;
  readonly #others: NonResourceHandler;
  readonly #requestTimeoutMs: number;
  readonly #flows: FlowControl;
  readonly #mounts = new Map<string, (request: HttpRequest) => Promise<HttpResponse>>();

  constructor(private readonly options: ApiHandlerOptions) {
    const { registry, clock, random, decodeProtobuf, metrics } = options;
    this.health = options.health ?? new HealthChecks();
    this.health.register({ name: 'shutdown', endpoints: ['readyz'], check: () => this.#shutdown.assertRunning() });
    this.#flows = new FlowControl(clock, options.flowLimits, options.priorityLevels);
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

  /** Ends every watch cleanly and makes `/readyz` fail. New requests are still served. */
  shutdown(): void {
    this.#shutdown.fire();
  }

  /** Mounts a handler that bypasses API authentication and authorization. The handler must do its own. */
  mount(path: string, handle: (request: HttpRequest) => Promise<HttpResponse>): void {
    this.#mounts.set(path, handle);
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    const mounted = this.#mounts.get(/^\/[^/?]*/.exec(request.url)?.[0] ?? '');
    if (mounted !== undefined) return this.#serveMounted(request, mounted);
    const startedAt = this.options.clock.monotonic();
    const active = this.options.metrics?.started(request.method);
    const call = this.#receive(request);
    let response: HttpResponse;
    let context: RequestContext | undefined;
    try {
      context = await this.#admit(call);
      response = await this.#dispatch(context, call.audit);
    } catch (error) {
      response = this.#failure(request, call.info, error);
      call.audit?.failed(error, response);
    }
    if (request.method === 'HEAD') response = { ...response, body: undefined };
    this.#decorate(response, call.auditId, context);
    this.#record(call, response, startedAt, active);
    return call.audit?.finish(response) ?? response;
  }

  #receive(request: HttpRequest): ReceivedCall {
    const { auditor, clock, decodeProtobuf } = this.options;
    const auditId = this.#auditId(headerText(request.headers, 'audit-id'));
    const audit = auditor && new RequestAudit(auditor, request, auditId, clock, decodeProtobuf);
    return new ReceivedCall(request, auditId, audit);
  }

  /** Authenticates and authorizes a request. */
  async #admit(call: ReceivedCall): Promise<RequestContext> {
    const { request, audit } = call;
    const { authorizer, clock } = this.options;
    const info = parseRequestInfo(request.method, request.url);
    call.info = info;
    const access = accessOf(info);
    audit?.describe(info, access);
    const user = await this.options.resolveUser(request, access, call);
    call.user = user;
    authorizeRequest(authorizer, user, access, audit);
    return new RequestContext(request, info, user, clock, authorizer, audit?.trail);
  }

  /**
   * Authorizes a port-forward request and returns its pod and ports. Without a port forwarder the request is rejected with the
   * error that upstream returns at that point.
   */
  async admitForward(request: HttpRequest, hasForwarder: boolean): Promise<AdmittedForward | RefusedForward> {
    const call = this.#receive(request);
    try {
      const context = await this.#admit(call);
      const { namespace, name, query } = context.info;
      const endpoint = forwardEndpoint(this.options.registry, context.info);
      const { object } = await endpoint.get(context, namespace, name);
      checkForward(object, hasForwarder);
      const ports = portsOf(query.getAll('ports'));
      return { pod: { namespace, name }, ports, ended: call.audit?.upgraded() ?? (() => undefined) };
    } catch (error) {
      const refusal = this.refuse(request, error);
      call.audit?.failed(error, refusal);
      return { refusal: call.audit?.finish(refusal) ?? refusal };
    }
  }

  /** Builds the error response of a request that cannot be served. */
  refuse(request: HttpRequest, error: unknown): HttpResponse {
    const response = this.#failure(request, undefined, error);
    this.#decorate(response, this.#auditId(headerText(request.headers, 'audit-id')), undefined);
    return response;
  }

  async #dispatch(context: RequestContext, audit: RequestAudit | undefined): Promise<HttpResponse> {
    const place = this.#flows.request(context.info, context.user);
    context.assignment = place.assignment;
    context.large = place.large;
    if (context.info.verb === 'watch' && context.info.isResource) return this.#watch(context);
    const timeoutMs = parseRequestTimeoutMs(context.info.query, this.#requestTimeoutMs);
    try {
      const response = await this.#withDeadline(context, timeoutMs, this.#answer(context, place));
      audit?.answered(response);
      return await compress(response, context.request.headers);
    } finally {
      place.leave();
    }
  }

  /** Serves a watch. It takes no seat, but counts towards the watch limit of its user until its stream ends. */
  async #watch(context: RequestContext): Promise<HttpResponse> {
    const release = this.#flows.openWatch(context.user);
    try {
      const response = await this.#resources.handle(context);
      const { body } = response;
      if (typeof body === 'function') return { ...response, body: (sink) => body(sink).finally(release) };
      release();
      return response;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Handles a request. It takes a seat only when its body is complete: slow senders must not occupy seats. */
  async #answer(context: RequestContext, place: FlowPlace): Promise<HttpResponse> {
    const { method, isResource } = context.info;
    if (isResource && method !== 'GET' && method !== 'HEAD') context.body = await place.receive(context.request);
    await place.enter(() => context.signal);
    if (context.body !== undefined) await this.#prepareBody(context, context.body);
    return isResource ? this.#resources.handle(context) : this.#others.handle(context);
  }

  async #prepareBody(context: RequestContext, body: Buffer): Promise<void> {
    const { parseLargeYaml } = this.options;
    const { request, user } = context;
    await context.nextStep();
    if (parseLargeYaml !== undefined) {
      const contentType = headerText(request.headers, 'content-type');
      context.readYaml = await parseAhead(body, contentType, (bytes) => parseLargeYaml(user.username, bytes));
    }
    await request.turn?.();
    await context.nextStep();
  }

  async #serveMounted(
    request: HttpRequest,
    handle: (request: HttpRequest) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    try {
      return await this.#flows.serveMounted(request, handle);
    } catch (error) {
      return this.refuse(request, error);
    }
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

  #decorate(response: HttpResponse, auditId: string, context: RequestContext | undefined): void {
    const { headers } = response;
    headers['audit-id'] = auditId;
    headers['cache-control'] ??= 'no-cache, private';
    const { assignment } = context ?? {};
    if (assignment !== undefined) {
      headers['x-kubernetes-pf-flowschema-uid'] = assignment.schemaUid;
      headers['x-kubernetes-pf-prioritylevel-uid'] = assignment.levelUid;
    }
    const warnings = context?.warnings.headers();
    if (warnings !== undefined) headers['warning'] = warnings;
  }

  #auditId(given: string | undefined): string {
    if (given !== undefined && given !== '' && given.length <= 64 && !forbiddenAuditId.test(given)) return given;
    return generateUid(this.options.random);
  }

  #record(
    { info, request, user, requestor }: ReceivedCall,
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
      ...userFields(user, requestor),
      userAgent: headerText(request.headers, 'user-agent') ?? '',
      remoteAddress: request.remoteAddress,
      auditId: response.headers['audit-id'],
    };
    if (response.status >= 500) logger.warn(fields, 'Request failed');
    else logger.debug(fields, 'Request handled');
  }
}

/** A request from its arrival to its response. */
class ReceivedCall implements AuthenticationObserver {
  info: RequestInfo | undefined;
  /** The user after impersonation. */
  user: UserInfo | undefined;
  /** The user of the credentials. */
  requestor: UserInfo | undefined;

  constructor(
    readonly request: HttpRequest,
    readonly auditId: string,
    readonly audit: RequestAudit | undefined,
  ) {}

  authenticated(user: UserInfo): void {
    this.requestor = user;
    this.audit?.authenticated(user);
  }

  impersonated(user: UserInfo, constraint: string): void {
    this.audit?.impersonated(user, constraint);
  }
}

/** Returns the fields of the request log that name the user, including the user of a denied or impersonated request. */
function userFields(user: UserInfo | undefined, requestor: UserInfo | undefined): Readonly<Record<string, string>> {
  const effective = user ?? requestor;
  if (effective === undefined) return {};
  if (requestor === undefined || requestor === effective) return { user: effective.username };
  return { user: effective.username, impersonatedBy: requestor.username };
}

/** Returns the path of a URL for logging. The query is not logged, because it may contain tokens. */
function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}
