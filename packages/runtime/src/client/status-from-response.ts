import {
  type JsonObject,
  parseJsonValue,
  qualifiedResource,
  type Status,
  type StatusDetails,
  StatusError,
  type StatusReason,
} from '@slipway/kube';

export interface FailedRequest {
  readonly method: string;
  readonly group?: string;
  readonly resource?: string;
  readonly name?: string;
}

interface Generic {
  readonly reason: StatusReason;
  readonly text: string;
}

const genericByCode = new Map<number, Generic>([
  [400, { reason: 'BadRequest', text: 'the server rejected our request for an unknown reason' }],
  [401, { reason: 'Unauthorized', text: 'the server has asked for the client to provide credentials' }],
  [403, { reason: 'Forbidden', text: 'the server does not allow access to the requested resource' }],
  [404, { reason: 'NotFound', text: 'the server could not find the requested resource' }],
  [405, { reason: 'MethodNotAllowed', text: 'the server does not allow this method on the requested resource' }],
  [
    406,
    { reason: 'NotAcceptable', text: 'the server was unable to respond with a content type that the client supports' },
  ],
  [409, { reason: 'Conflict', text: 'the server reported a conflict' }],
  [410, { reason: 'Gone', text: 'the requested resource is gone' }],
  [413, { reason: 'RequestEntityTooLarge', text: 'the request is too large' }],
  [415, { reason: 'UnsupportedMediaType', text: 'the body of the request was in an unknown format' }],
  [422, { reason: 'Invalid', text: 'the server rejected our request due to an error in our request' }],
  [
    429,
    {
      reason: 'TooManyRequests',
      text: 'the server has received too many requests and has asked us to try again later',
    },
  ],
  [503, { reason: 'ServiceUnavailable', text: 'the server is currently unable to handle the request' }],
  [504, { reason: 'Timeout', text: 'the server was unable to return a response in the time allotted' }],
]);

const quotedCharsMax = 2_048;

/** Returns the Status in the body, or a Status made from the HTTP status code if a proxy responded instead of the server. */
export function statusFromResponse(
  code: number,
  body: Uint8Array,
  request: FailedRequest,
  retryAfterSeconds?: number,
): StatusError {
  const received = readStatus(body);
  if (received !== undefined) return StatusError.fromStatus({ ...received, code: received.code ?? code });
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('utf8')
    .trim()
    .slice(0, quotedCharsMax);
  const generic = genericByCode.get(code) ?? unknownCode(code, text);
  const reason = code === 409 && request.method === 'POST' ? 'AlreadyExists' : generic.reason;
  const details: StatusDetails = {
    ...(request.name === undefined || request.name === '' ? {} : { name: request.name }),
    ...(request.group === undefined || request.group === '' ? {} : { group: request.group }),
    ...(request.resource === undefined ? {} : { kind: request.resource }),
    ...(text === '' ? {} : { causes: [{ reason: 'UnexpectedServerResponse', message: text }] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return new StatusError({ code, reason, message: `${generic.text}${subjectOf(request)}`, details });
}

function unknownCode(code: number, text: string): Generic {
  if (code < 500)
    return {
      reason: '',
      text: `the server responded with the status code ${code} but did not return more information`,
    };
  return {
    reason: 'InternalError',
    text: `an error on the server (${JSON.stringify(text === '' ? 'unknown' : text)}) has prevented the request from succeeding`,
  };
}

function subjectOf(request: FailedRequest): string {
  if (request.resource === undefined) return '';
  const resource = qualifiedResource({ group: request.group ?? '', resource: request.resource });
  const name = request.name === undefined || request.name === '' ? '' : ` ${request.name}`;
  return ` (${request.method.toLowerCase()} ${resource}${name})`;
}

function readStatus(body: Uint8Array): Status | undefined {
  if (body.length === 0 || body[0] !== 0x7b) return undefined;
  try {
    const value = parseJsonValue(body) as JsonObject;
    return isStatus(value) ? value : undefined;
  } catch {
    // The body is not JSON. The caller uses the status code.
    return undefined;
  }
}

export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && (value as JsonObject)['kind'] === 'Status';
}
