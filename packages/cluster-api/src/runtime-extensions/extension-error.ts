import { ReconcileError } from '@slipway/runtime';

export type ExtensionFailure =
  /** The extension was unreachable, timed out or sent an invalid response. The failure policy `Ignore` covers these. */
  | 'CallFailed'
  /** The extension returned Failure. */
  | 'FailureResponse'
  /** The handler is not in any ExtensionConfig. */
  | 'NotRegistered'
  /** The ExtensionConfig is invalid. */
  | 'InvalidConfiguration';

const remedies: Readonly<Record<ExtensionFailure, string>> = {
  CallFailed: 'check that the extension is running and reachable from the controller',
  FailureResponse: 'check the logs of the extension',
  NotRegistered: 'create an ExtensionConfig for it, or check the Discovered condition of the existing one',
  InvalidConfiguration: 'correct the ExtensionConfig',
};

export class ExtensionError extends ReconcileError<ExtensionFailure> {
  constructor(failure: ExtensionFailure, message: string, cause?: unknown) {
    super(failure, message, { retry: 'later', remedy: remedies[failure], cause });
    this.name = 'ExtensionError';
  }
}
