import { CredentialsError } from './credentials-error.js';
import { isFault, VimConnectionError, type ConnectionFailure } from '../../vim25/index.js';

const resumption = 'reconciliation continues once vCenter is reachable';
const remedies: Readonly<Record<ConnectionFailure, string>> = {
  unreachable: `; check that vCenter is running, and check its address and the network; ${resumption}`,
  timeout: `; check that vCenter is running, and check the network; ${resumption}`,
  unavailable: `; check that vCenter is running and that its services have started; ${resumption}`,
  // The error already contains the expected and the actual certificate.
  untrusted: '',
};

/** Returns why a vCenter cannot be used, and the remedy. Undefined for errors that are not caused by vCenter or the network. */
export function outageMessage(error: Error): string | undefined {
  if (error instanceof VimConnectionError) return `${error.message}${remedies[error.failure]}`;
  if (isFault(error, 'InvalidLogin')) return `${error.message}; correct the user name or password in the Secret`;
  return error instanceof CredentialsError ? error.message : undefined;
}
