import { ReconcileError } from '@slipway/runtime';

/**
 * Credentials are missing or must not be used. Retried later, because this controller may not watch the object that must change.
 */
export class CredentialsError extends ReconcileError<'VCenterUnreachable'> {
  constructor(message: string, remedy?: string) {
    super('VCenterUnreachable', message, { retry: 'later', ...(remedy === undefined ? {} : { remedy }) });
    this.name = 'CredentialsError';
  }
}
