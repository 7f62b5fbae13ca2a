import type { Clock, HttpRequest, HttpResponse } from '@slipway/base';
import { isFields, parseJsonValue, parseYamlValue, StatusError } from '@slipway/kube';
import type { Auditor, AuditTrail } from '../audit/index.js';
import type { AccessRequest, AuthenticationObserver, Decision, UserInfo } from '../contract/index.js';
import type { DecodeProtobuf } from './body.js';
import { essenceOf } from './media-type.js';
import { jsonMediaType, yamlMediaType } from './negotiate.js';
import { protobufMediaType } from './protobuf/envelope.js';
import type { RequestInfo } from './request-info.js';

/** A path of a resource whose requests stay open, in upstream's list of long-running requests. */
const longRunningSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Records one request in the audit log: the trail is created at authentication, if the policy audits the request. */
export class RequestAudit implements AuthenticationObserver {
  #trail: AuditTrail | undefined;
  #access: Omit<AccessRequest, 'user'> = { verb: '' };
  #isLongRunning = false;
  #isAuthenticated = false;
  readonly #receivedAt: number;

  constructor(
    private readonly auditor: Auditor,
    private readonly request: HttpRequest,
    private readonly auditId: string,
    clock: Clock,
    private readonly decodeProtobuf: DecodeProtobuf | undefined,
  ) {
    this.#receivedAt = clock.now();
  }

  get trail(): AuditTrail | undefined {
    return this.#trail;
  }

  describe(info: RequestInfo, access: Omit<AccessRequest, 'user'>): void {
    this.#access = access;
    this.#isLongRunning = info.isResource && (info.verb === 'watch' || longRunningSubresources.has(info.subresource));
  }

  authenticated(user: UserInfo): void {
    this.#isAuthenticated = true;
    this.#trail = this.#begin(user);
    this.#trail?.emit('RequestReceived');
  }

  impersonated(user: UserInfo, constraint: string): void {
    this.#trail?.impersonated(user, constraint);
  }

  authorized(decision: Decision): void {
    this.#trail?.authorized(decision);
  }

  /** Records the response of a handler that ended with an error. */
  failed(error: unknown, response: HttpResponse): void {
    if (!this.#isAuthenticated) {
      this.#authenticationFailed(response);
      return;
    }
    this.answered(response);
    if (error instanceof StatusError) return;
    this.#trail?.responseStatus({
      status: 'Failure',
      message: `APIServer panic'd: ${error instanceof Error ? error.message : String(error)}`,
      reason: 'InternalError',
      code: 500,
    });
    this.#trail?.emit('Panic');
    this.#trail = undefined;
  }

  /** Records the response before it is compressed. */
  answered(response: HttpResponse): void {
    const trail = this.#trail;
    if (trail === undefined) return;
    const object = this.#objectOf(response, trail.wantsResponse);
    if (object === undefined) return;
    if (object['kind'] === 'Status') trail.responseStatus(object);
    if (trail.wantsResponse) trail.responseObject(object);
  }

  /** Emits the events of the response. The last event of a stream follows when the stream ends. */
  finish(response: HttpResponse): HttpResponse {
    const trail = this.#trail;
    if (trail === undefined) return response;
    trail.responseCode(response.status);
    if (this.#isLongRunning) trail.emit('ResponseStarted');
    const { body } = response;
    if (typeof body !== 'function') {
      trail.emit('ResponseComplete');
      return response;
    }
    return { ...response, body: (sink) => body(sink).finally(() => trail.emit('ResponseComplete')) };
  }

  /** Records a connection that leaves HTTP. The returned function records its end. */
  upgraded(): () => void {
    const trail = this.#trail;
    trail?.responseCode(101);
    trail?.emit('ResponseStarted');
    return () => trail?.emit('ResponseComplete');
  }

  #begin(user: UserInfo | undefined): AuditTrail | undefined {
    const { url, headers, remoteAddress } = this.request;
    const { auditId } = this;
    return this.auditor.begin(
      { auditId, url, headers, remoteAddress, access: this.#access, receivedAt: this.#receivedAt },
      user,
    );
  }

  #authenticationFailed(response: HttpResponse): void {
    this.#trail = this.#begin(undefined);
    this.answered(response);
    this.#trail?.responseCode(response.status);
    this.#trail?.emit('ResponseStarted');
    this.#trail = undefined;
  }

  /** Returns the API object that a response contains. At levels below RequestResponse, only a Status is recorded. */
  #objectOf({ headers, body, status }: HttpResponse, all: boolean): Readonly<Record<string, unknown>> | undefined {
    if (body === undefined || typeof body === 'function') return undefined;
    const type = essenceOf(String(headers['content-type'] ?? ''));
    const first = Buffer.isBuffer(body) ? body : (body[0] ?? Buffer.alloc(0));
    if (!all && status < 400 && !first.toString('latin1', 0, statusSearchBytes).includes('Status')) return undefined;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(body);
    const value = this.#decode(type, bytes);
    return isFields(value) && typeof value['kind'] === 'string' ? value : undefined;
  }

  #decode(type: string | undefined, bytes: Buffer): unknown {
    if (type === jsonMediaType) return parseJsonValue(bytes.toString());
    if (type === yamlMediaType) return parseYamlValue(bytes);
    if (type !== protobufMediaType || this.decodeProtobuf === undefined) return undefined;
    const { apiVersion, kind, object } = this.decodeProtobuf(bytes);
    return { kind, apiVersion, ...object };
  }
}

/** Kind and apiVersion come first in every encoding. */
const statusSearchBytes = 48;
