import { CredentialsError } from './credentials-error.js';
import { isFault, VimConnectionError, type ConnectionFailure } from '../../vim25/index.js';

const goesOn = 'it goes on by itself once vCenter is back';
const remedies: Readonly<Record<ConnectionFailure, string>> = {
  unreachable: `; check that vCenter runs, and its address and the network from here; ${goesOn}`,
  timeout: `; check that vCenter runs, and the network from here; ${goesOn}`,
  unavailable: `; check that vCenter runs and that its services have started; ${goesOn}`,
  // Says itself what was met and what was expected.
  untrusted: '',
};

/** Why a vCenter cannot be used, and what helps. Undefined for what is no fault of the vCenter or the way to it. */
export function outageMessage(error: Error): string | undefined {
  if (error instanceof VimConnectionError) return `${error.message}${remedies[error.failure]}`;
  if (isFault(error, 'InvalidLogin')) return `${error.message}; correct the user name or the password in its Secret`;
  return error instanceof CredentialsError ? error.message : undefined;
}
