import { ReconcileError } from '@slipway/runtime';

/** Credentials are missing or must not be used. The fix is a change of an object that is not watched here. */
export class CredentialsError extends ReconcileError<'VCenterUnreachable'> {
  constructor(message: string, remedy?: string) {
    super('VCenterUnreachable', message, { retry: 'later', ...(remedy === undefined ? {} : { remedy }) });
    this.name = 'CredentialsError';
  }
}
