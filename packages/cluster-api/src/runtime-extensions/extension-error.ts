import { ReconcileError } from '@slipway/runtime';

export type ExtensionFailure =
  /** It could not be reached, did not answer in time, or did not answer as it should. `Ignore` covers these. */
  | 'CallFailed'
  /** It said no. */
  | 'FailureResponse'
  /** Nobody has registered what is asked for. */
  | 'NotRegistered'
  /** It is registered in a way that cannot work. */
  | 'InvalidConfiguration';

const remedies: Readonly<Record<ExtensionFailure, string>> = {
  CallFailed: 'see whether the extension runs and can be reached from here',
  FailureResponse: 'see the log of the extension',
  NotRegistered: 'create an ExtensionConfig for it, or see the Discovered condition of the one there is',
  InvalidConfiguration: 'correct the ExtensionConfig',
};

export class ExtensionError extends ReconcileError<ExtensionFailure> {
  constructor(failure: ExtensionFailure, message: string, cause?: unknown) {
    super(failure, message, { retry: 'later', remedy: remedies[failure], cause });
    this.name = 'ExtensionError';
  }
}
