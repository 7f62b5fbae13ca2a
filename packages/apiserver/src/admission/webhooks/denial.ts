import { badRequest, type MutableJsonObject, type StatusDetails, StatusError, type StatusReason } from '@slipway/kube';
import { isFields, textOf } from '../fields.js';

/** A webhook's refusal. The status is the webhook's, as far as it makes sense for a failure. */
export function denial(webhook: string, status: MutableJsonObject | undefined): StatusError {
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const [message, reason, code] = [textOf(status?.['message']), textOf(status?.['reason']), status?.['code']];
  const why = message === '' ? reason : message;
  return new StatusError({
    code: isErrorCode(code) ? code : 400,
    reason: reason as StatusReason,
    message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    ...(isFields(status?.['details']) ? { details: status['details'] as StatusDetails } : {}),
  });
}

/** A refusal must not look like a success, nor be something that no response can carry. */
function isErrorCode(code: unknown): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
}

export function dryRunUnsupported(webhook: string): StatusError {
  return badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
}
