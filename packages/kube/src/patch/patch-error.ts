import { badRequest, StatusError } from '../errors/status-error.js';
import type { JsonValue } from '../json/value.js';
import { formatGoValue } from '../text/go-format.js';

/**
 * How a patch went wrong, which decides what the client is told: `malformed` is no patch at all (400), `tooLarge` asks for
 * too much (413), `failed` does not fit this object (422 without details, as upstream), `unexpected` is upstream's
 * reason-less 500.
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

/** The Go kind of a decoded JSON value, as its decoder names it in errors. */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

const shownLengthMax = 1_000;

/** A value as upstream puts it into its messages, cut so that a large object does not fill the answer. */
export function shownValue(value: JsonValue | undefined): string {
  const text = formatGoValue(value);
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}
