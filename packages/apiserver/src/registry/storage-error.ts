import { StatusError } from '@slipway/kube';
import { StorageUnavailable } from '../storage/index.js';

/** Converts a failed commit to the error that clients receive. They may retry once the disk has space. */
export function storageError(error: unknown): unknown {
  if (!(error instanceof StorageUnavailable)) return error;
  const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: the write could not be made durable and was not applied: ${cause}; free disk space or check the data directory's disk, then try again`,
    details: { causes: [{ message: cause }] },
  });
}
