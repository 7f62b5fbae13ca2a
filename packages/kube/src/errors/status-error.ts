import { formatFieldError, type FieldError } from './field-error.js';
import { type GroupVersionKind, qualifiedResource } from '../meta/group-version.js';

export type StatusReason =
  | ''
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'ServerTimeout'
  | 'StoreReadError';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** metav1.Status: the response of a request that returns no object. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  code?: number;
}

interface StatusErrorFields {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
  /** A new continue token, which replaces an expired one. */
  readonly continueToken?: string;
}

/** An error with a metav1.Status. Every error response of the server is a StatusError. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  constructor(fields: StatusErrorFields) {
    super(fields.message);
    this.name = 'StatusError';
    this.code = fields.code;
    this.reason = fields.reason;
    this.details = fields.details;
    this.continueToken = fields.continueToken;
  }

  toStatus(): Status {
    const status: Status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
    };
    if (this.reason !== '') status.reason = this.reason;
    if (this.details !== undefined) status.details = this.details;
    status.code = this.code;
    return status;
  }

  static fromStatus(status: Status): StatusError {
    return new StatusError({
      code: status.code ?? 500,
      reason: status.reason ?? '',
      message: status.message ?? '',
      ...(status.details === undefined ? {} : { details: status.details }),
      ...(status.metadata?.continue === undefined ? {} : { continueToken: status.metadata.continue }),
    });
  }
}

export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

function detailsOf(resource: ResourceName, name: string): StatusDetails {
  const details: StatusDetails = {};
  if (name !== '') details.name = name;
  if (resource.group !== '') details.group = resource.group;
  if (resource.resource !== '') details.kind = resource.resource;
  return details;
}

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedResource(resource)} "${name}" not found`,
    details: detailsOf(resource, name),
  });
}

export function alreadyExists(resource: ResourceName, name: string): StatusError {
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedResource(resource)} "${name}" already exists`,
    details: detailsOf(resource, name),
  });
}

const modifiedMessage = 'the object has been modified; please apply your changes to the latest version and try again';

export function conflict(resource: ResourceName, name: string, cause = modifiedMessage): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedResource(resource)} "${name}": ${cause}`,
    details: detailsOf(resource, name),
  });
}

/** Returns a 403 error. An empty resource means a non-resource path. */
export function forbidden(resource: ResourceName, name: string, why: string): StatusError {
  const subject = name === '' ? qualifiedResource(resource) : `${qualifiedResource(resource)} "${name}"`;
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: resource.resource === '' ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`,
    details: detailsOf(resource, name),
  });
}

/**
 * Returns a 422 error. As upstream, its message contains the kind, while all other errors contain the resource. Clients print the
 * message.
 */
export function invalid(
  kind: Omit<GroupVersionKind, 'version'>,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  // Every cause is listed in details, but the message contains each text only once.
  const texts = [...new Set(errors.map(formatFieldError))];
  const joined = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const details: StatusDetails = {};
  if (name !== '') details.name = name;
  if (kind.group !== '') details.group = kind.group;
  if (kind.kind !== '') details.kind = kind.kind;
  details.causes = errors.map((error) => ({ reason: error.reason, message: error.message, field: error.field }));
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `${qualified} "${name}" is invalid: ${joined}`,
    details,
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

export function internalError(message: string): StatusError {
  const text = `Internal error occurred: ${message}`;
  return new StatusError({ code: 500, reason: 'InternalError', message: text, details: { causes: [{ message }] } });
}

export function methodNotAllowed(): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function unknownResource(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken === undefined ? {} : { continueToken }),
  });
}

export function isReason(error: unknown, reason: StatusReason): error is StatusError {
  return error instanceof StatusError && error.reason === reason;
}
