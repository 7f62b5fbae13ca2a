import {
  badRequest,
  fieldsOf,
  isFields,
  itemsOf,
  type MutableJsonObject,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  textOf,
} from '@slipway/kube';

/** Returns the error of a request that a webhook denied. Uses the fields of the webhook's status that are valid for a failure. */
export function denial(webhook: string, status: MutableJsonObject | undefined): StatusError {
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const [message, reason, code] = [textOf(status?.['message']), textOf(status?.['reason']), status?.['code']];
  const why = message === '' ? reason : message;
  return new StatusError({
    code: isErrorCode(code) ? code : 400,
    reason: reason as StatusReason,
    message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    ...(isFields(status?.['details']) ? { details: detailsOf(status['details']) } : {}),
  });
}

/** Copies only valid fields of the details that a webhook sent. */
function detailsOf(given: Readonly<Record<string, unknown>>): StatusDetails {
  const details: StatusDetails = {};
  for (const field of ['name', 'group', 'kind', 'uid'] as const)
    if (textOf(given[field]) !== '') details[field] = textOf(given[field]);
  const causes = itemsOf(given['causes']).map((cause) => ({
    reason: textOf(fieldsOf(cause)['reason']),
    message: textOf(fieldsOf(cause)['message']),
    field: textOf(fieldsOf(cause)['field']),
  }));
  if (causes.length > 0) details.causes = causes.map(withoutEmpty);
  const seconds = given['retryAfterSeconds'];
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0) details.retryAfterSeconds = seconds;
  return details;
}

function withoutEmpty(cause: StatusCause): StatusCause {
  return Object.fromEntries(Object.entries(cause).filter(([, text]) => text !== ''));
}

/** Whether the code is an HTTP error code, which a denial must have. */
function isErrorCode(code: unknown): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
}

export function dryRunUnsupported(webhook: string): StatusError {
  return badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
}
