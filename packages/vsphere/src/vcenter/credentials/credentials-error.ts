import { ReconcileError } from '@slipway/runtime';

/** Credentials that are missing or may not be used. What helps is a change of an object that is not watched here. */
export class CredentialsError extends ReconcileError<'VCenterUnreachable'> {
  constructor(message: string, remedy?: string) {
    super('VCenterUnreachable', message, { retry: 'later', ...(remedy === undefined ? {} : { remedy }) });
    this.name = 'CredentialsError';
  }
}
