import { type Clock, headerText, type RequestHeaders } from '@slipway/base';
import { cloneJson, fieldsOf, formatMicroTime, isFields, type JsonValue, stringifyJson, textAt } from '@slipway/kube';
import type { AccessRequest, Decision, UserInfo } from '../contract/index.js';
import type { AuditEvent, AuditObjectReference, AuditResponseStatus } from './audit-event.js';
import { type AuditDecision, auditLevels, type AuditStage } from './policy.js';
import { sourceAddresses } from './source-addresses.js';

/** A request as the audit log records it. */
export interface AuditedRequest {
  readonly auditId: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  readonly access: Omit<AccessRequest, 'user'>;
  readonly receivedAt: number;
}

const userAgentLengthMax = 1_024;
const truncated = '...TRUNCATED';
const rank = (level: AuditDecision['level']): number => auditLevels.indexOf(level);

/** Collects the audit event of one request and emits it at each stage that the policy does not omit. */
export class AuditTrail {
  readonly #event: AuditEvent;
  readonly #decision: AuditDecision;
  readonly #clock: Clock;
  readonly #emit: (event: string) => void;

  constructor(
    request: AuditedRequest,
    user: UserInfo | undefined,
    decision: AuditDecision,
    clock: Clock,
    emit: (event: string) => void,
  ) {
    this.#decision = decision;
    this.#clock = clock;
    this.#emit = emit;
    this.#event = newEvent(request, user, decision);
  }

  /** Whether the policy asks for the request object. */
  get wantsRequest(): boolean {
    return rank(this.#decision.level) >= rank('Request');
  }

  /** Whether the policy asks for the response object. */
  get wantsResponse(): boolean {
    return this.#decision.level === 'RequestResponse';
  }

  annotate(key: string, value: string): void {
    const annotations = (this.#event.annotations ??= {});
    // Like upstream, the first value of a key is kept.
    annotations[key] ??= value;
  }

  authorized({ allowed, reason }: Decision): void {
    this.annotate('authorization.k8s.io/decision', allowed ? 'allow' : 'forbid');
    this.annotate('authorization.k8s.io/reason', reason);
  }

  impersonated(user: UserInfo, constraint: string): void {
    this.#event.impersonatedUser = user;
    if (constraint !== '') this.#event.authenticationMetadata = { impersonationConstraint: constraint };
  }

  /** Records a decoded body. It completes the object reference of a create, whose path has no name. */
  requestObject(object: unknown): void {
    const { metadata } = fieldsOf(object);
    const target = (this.#event.objectRef ??= {});
    fill(target, 'namespace', textAt(metadata, 'namespace'));
    fill(target, 'name', textAt(metadata, 'name'));
    fill(target, 'uid', textAt(metadata, 'uid'));
    fill(target, 'resourceVersion', textAt(metadata, 'resourceVersion'));
    if (this.wantsRequest) this.#event.requestObject = this.#withoutManagedFields(object);
  }

  /** Records a patch as it was sent. */
  requestPatch(patch: unknown): void {
    if (this.wantsRequest) this.#event.requestObject = cloneJson(patch as JsonValue);
  }

  responseObject(object: unknown): void {
    this.#event.responseObject = this.#withoutManagedFields(object);
  }

  /** Records a Status that is sent as the response. */
  responseStatus(status: Readonly<Record<string, unknown>>): void {
    const { status: result, message, reason, details, code } = status as Partial<AuditResponseStatus>;
    this.#event.responseStatus = {
      metadata: {},
      ...(result === undefined ? {} : { status: result }),
      ...(message === undefined || message === '' ? {} : { message }),
      ...(reason === undefined || reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      ...(code === undefined ? {} : { code }),
    };
  }

  responseCode(code: number): void {
    const status = (this.#event.responseStatus ??= { metadata: {} });
    status.code = code;
  }

  emit(stage: AuditStage): void {
    if (this.#decision.omitStages.has(stage)) return;
    this.#event.stage = stage;
    this.#event.stageTimestamp =
      stage === 'RequestReceived' ? this.#event.requestReceivedTimestamp : formatMicroTime(this.#clock.now());
    this.#emit(stringifyJson(this.#event));
  }

  #withoutManagedFields(object: unknown): unknown {
    const copy: unknown = cloneJson(object as JsonValue);
    if (this.#decision.omitManagedFields) removeManagedFields(copy);
    return copy;
  }
}

function newEvent(request: AuditedRequest, user: UserInfo | undefined, { level }: AuditDecision): AuditEvent {
  const { access, headers } = request;
  const receivedAt = formatMicroTime(request.receivedAt);
  const userAgent = headerText(headers, 'user-agent') ?? '';
  const addresses = sourceAddresses(headers, request.remoteAddress);
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID: request.auditId,
    stage: 'RequestReceived',
    requestURI: request.url,
    verb: access.verb,
    user: user ?? {},
    ...(addresses.length === 0 ? {} : { sourceIPs: addresses }),
    ...(userAgent === '' ? {} : { userAgent: shortUserAgent(userAgent) }),
    ...(access.resource === undefined ? {} : { objectRef: referenceOf(access.resource) }),
    requestReceivedTimestamp: receivedAt,
    stageTimestamp: receivedAt,
  };
}

function shortUserAgent(userAgent: string): string {
  return userAgent.length > userAgentLengthMax ? `${userAgent.slice(0, userAgentLengthMax)}${truncated}` : userAgent;
}

function referenceOf(target: NonNullable<AccessRequest['resource']>): AuditObjectReference {
  const reference: AuditObjectReference = {};
  fill(reference, 'resource', target.resource);
  fill(reference, 'namespace', target.namespace);
  fill(reference, 'name', target.name);
  fill(reference, 'apiGroup', target.group);
  fill(reference, 'apiVersion', target.version);
  fill(reference, 'subresource', target.subresource);
  return reference;
}

function fill(reference: AuditObjectReference, field: keyof AuditObjectReference, value: string | undefined): void {
  if (value !== undefined && value !== '') reference[field] ??= value;
}

/** Removes the managed fields of an object, of the items of a list, or of the objects in the rows of a Table. */
function removeManagedFields(value: unknown): void {
  if (!isFields(value)) return;
  const { metadata, items, rows } = value;
  if (isFields(metadata)) delete (metadata as Record<string, unknown>)['managedFields'];
  if (Array.isArray(items)) for (const item of items) removeManagedFields(item);
  if (Array.isArray(rows)) for (const row of rows) if (isFields(row)) removeManagedFields(row['object']);
}
