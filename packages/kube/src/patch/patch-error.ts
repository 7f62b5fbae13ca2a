import { badRequest, StatusError } from '../errors/status-error.js';
import type { JsonValue } from '../json/value.js';
import { formatGoValue } from '../text/go-format.js';

/**
 * Why a patch was rejected, which determines the response. `malformed`: the body is not a patch (400). `tooLarge`: it exceeds a
 * limit (413). `failed`: it does not apply to this object (422 without details, like upstream). `unexpected`: upstream's 500
 * without a reason.
 */
export type PatchOutcome = 'malformed' | 'tooLarge' | 'failed' | 'unexpected';

export class PatchError extends Error {
  constructor(
    readonly outcome: PatchOutcome,
    message: string,
  ) {
    super(message);
    this.name = 'PatchError';
  }

  toStatusError(): StatusError {
    switch (this.outcome) {
      case 'malformed':
        return badRequest(this.message);
      case 'tooLarge':
        return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message: this.message });
      case 'failed':
        return new StatusError({
          code: 422,
          reason: 'Invalid',
          message: 'the server rejected our request due to an error in our request',
          details: {},
        });
      case 'unexpected':
        return new StatusError({ code: 500, reason: '', message: this.message });
    }
  }
}

/** Returns the name of a JSON value's type in the errors of Go's decoder. */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

const shownLengthMax = 1_000;

/** Formats a value as in upstream's messages, truncated so that a large object does not fill the response. */
export function shownValue(value: JsonValue | undefined): string {
  const text = formatGoValue(value);
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}
