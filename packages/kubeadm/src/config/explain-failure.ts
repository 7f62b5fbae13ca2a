import { ClusterDisconnected, FencedError, type Outcome, ReconcileError, retry, wait } from '@slipway/runtime';
import { BootstrapDataError, type BootstrapDataReason } from '../bootstrap-data/index.js';
import { CertificateError } from '../certificates/index.js';
import {
  configReasons,
  setCertificatesUnavailable,
  setDataSecretUnavailable,
  setDataSecretUnknown,
} from './config-conditions.js';
import type { ConfigScope } from './config-scope.js';

/** The cache tells when a connection is made, but not when a kubeconfig appears that nobody asks for. */
const reconnectMs = 60_000;

/** Puts what went wrong into the conditions, and says when to try again. */
export function explainFailure(scope: ConfigScope, thrown: unknown): Outcome {
  if (thrown instanceof FencedError) throw thrown;
  if (thrown instanceof ClusterDisconnected) return waitForConnection(scope, thrown);
  if (thrown instanceof CertificateError) return badCertificate(scope, thrown);
  if (thrown instanceof BootstrapDataError) return badInput(scope, thrown);
  if (thrown instanceof ReconcileError) return expected(scope, thrown);
  const error = thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
  if (!hasData(scope)) scope.change(setDataSecretUnknown);
  return retry(error);
}

function hasData({ config }: ConfigScope): boolean {
  return config.status?.initialization?.dataSecretCreated === true;
}

/** Its words are for users. Data that is there stays available, whatever else is wrong. */
function expected(scope: ConfigScope, cause: ReconcileError): Outcome {
  const { message } = cause;
  const { dataSecretGenerationFailed: reason } = configReasons;
  if (!hasData(scope))
    scope.change((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Warning' }, nowMs));
  return retry(cause);
}

function waitForConnection(scope: ConfigScope, cause: ClusterDisconnected): Outcome {
  const message = `Waiting for a connection to the workload cluster to make a bootstrap token: ${cause.message}`;
  const { waitingForControlPlaneAvailable: reason } = configReasons;
  if (!hasData(scope))
    scope.change((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ ms: reconnectMs, reason: 'ConnectionDown', message });
}

function badCertificate(scope: ConfigScope, cause: CertificateError): Outcome {
  const { certificatesCorrupted, certificatesGenerationFailed } = configReasons;
  const why =
    cause.reason === 'Missing'
      ? ({ reason: certificatesGenerationFailed, severity: 'Warning' } as const)
      : ({ reason: certificatesCorrupted, severity: 'Error' } as const);
  scope.change((draft, nowMs) => setCertificatesUnavailable(draft, { ...why, message: cause.message }, nowMs));
  return retry(new ReconcileError('CertificatesNotAvailable', cause.message, { retry: 'later', cause }));
}

/** What stands in objects that are watched: their change brings the config back. The rest stands in Secrets. */
const inWatchedObjects: ReadonlySet<BootstrapDataReason> = new Set([
  'InvalidVersion',
  'UnsupportedVersion',
  'InvalidIgnitionConfig',
  'ControlPlaneOnWorker',
]);

function badInput(scope: ConfigScope, cause: BootstrapDataError): Outcome {
  const { dataSecretGenerationFailed: reason } = configReasons;
  const { message } = cause;
  scope.change((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Warning' }, nowMs));
  const policy = inWatchedObjects.has(cause.reason) ? 'onChange' : 'later';
  return retry(new ReconcileError(cause.reason, message, { retry: policy, cause }));
}
