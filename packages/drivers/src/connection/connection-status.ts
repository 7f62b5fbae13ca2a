import { formatTime, type Frozen, parseTime } from '@slipway/kube';
import { type ConditionTarget, edit, type NewCondition, setCondition } from '@slipway/runtime';
import { annotations, type DriverError, type Reason, remedyOf, type VsphereCloudConfig } from '../api/index.js';
import type { ConnectionReport } from './vcenters.js';

/** The result of a connection check. */
export type ConnectionFinding =
  | { readonly ok: true; readonly report: ConnectionReport; readonly user: string; readonly secretVersion: string }
  | { readonly ok: false; readonly error: DriverError; readonly user?: string; readonly secretVersion?: string };

type Stage = 'Reachable' | 'TLSTrusted' | 'Authenticated' | 'ResourcesFound' | 'Authorized';
const stages: readonly Stage[] = ['Reachable', 'TLSTrusted', 'Authenticated', 'ResourcesFound', 'Authorized'];

const stageOf: Partial<Record<Reason, Stage>> = {
  DNSFailure: 'Reachable',
  Unreachable: 'Reachable',
  NotVCenter: 'Reachable',
  VersionUnsupported: 'Reachable',
  TLSUntrusted: 'TLSTrusted',
  ThumbprintMismatch: 'TLSTrusted',
  CertificateExpired: 'TLSTrusted',
  ContradictoryTrust: 'TLSTrusted',
  SecretNotFound: 'Authenticated',
  SecretKeysMissing: 'Authenticated',
  InvalidLogin: 'Authenticated',
  AccountLocked: 'Authenticated',
  PasswordExpired: 'Authenticated',
  UserWithoutDomain: 'Authenticated',
  DatacenterNotFound: 'ResourcesFound',
  DatacenterAmbiguous: 'ResourcesFound',
  ResourceNotFound: 'ResourcesFound',
  PrivilegesMissing: 'Authorized',
};

/** Interval of status writes that only update the time. It is long, because each write triggers watches. */
const heartbeatMs = 900_000;

/** Returns the connection with the result in its status, or the same object if nothing changed. */
export function withFinding(
  connection: Frozen<VsphereCloudConfig>,
  finding: ConnectionFinding,
  nowMs: number,
): Frozen<VsphereCloudConfig> {
  const before = connection.status;
  const conditions = conditionsOf(finding);
  const failure = failureOf(finding);
  const result = {
    config: failure === undefined ? ('verified' as const) : ('failed' as const),
    message: failure?.message ?? 'The connection was verified',
    observedGeneration: connection.metadata.generation ?? 0,
    lastSeenRetry: connection.metadata.annotations?.[annotations.retry] ?? '',
    loginFailures: loginFailures(before, finding, failure),
    ...(finding.user !== undefined && { user: finding.user }),
    ...(finding.secretVersion !== undefined && { observedSecretResourceVersion: finding.secretVersion }),
    ...reportOf(finding),
  };
  const after = edit(connection, (draft) => {
    draft.status = { ...draft.status, ...result };
    for (const condition of conditions) setCondition(draft as ConditionTarget, condition, nowMs);
  });
  const last = before?.lastCheckTime === undefined ? 0 : parseTime(before.lastCheckTime);
  if (after === connection && nowMs - last < heartbeatMs) return connection;
  const now = formatTime(nowMs);
  return edit(after, (draft) => {
    if (draft.status === undefined) return;
    draft.status.lastCheckTime = now;
    if (failure === undefined) draft.status.lastSuccessTime = now;
  });
}

function loginFailures(
  before: Frozen<VsphereCloudConfig>['status'],
  { secretVersion }: ConnectionFinding,
  failure: Failure | undefined,
): number {
  if (failure?.reason !== 'InvalidLogin') return 0;
  const isSame = before?.observedSecretResourceVersion === secretVersion;
  return (isSame ? (before?.loginFailures ?? 0) : 0) + 1;
}

function reportOf(finding: ConnectionFinding): Partial<NonNullable<VsphereCloudConfig['status']>> {
  if (!finding.ok) return { missingPrivileges: [] };
  const { version, apiVersion, build, instanceUuid, certificate, missingPrivileges } = finding.report;
  return {
    missingPrivileges: missingPrivileges.map((each) => ({ ...each })),
    version,
    apiVersion,
    build,
    instanceUuid,
    ...(certificate !== undefined && { certificate: { ...certificate } }),
  };
}

interface Failure {
  readonly reason: Reason;
  readonly message: string;
}

function failureOf(finding: ConnectionFinding): Failure | undefined {
  if (!finding.ok) return withRemedy(finding.error.reason, finding.error.message);
  const { missingPrivileges } = finding.report;
  if (missingPrivileges.length === 0) return undefined;
  const list = missingPrivileges.map(({ entity, privilege }) => `${privilege} on ${entity}`);
  return withRemedy('PrivilegesMissing', `${finding.user} does not have the privileges ${list.join(', ')}`);
}

function withRemedy(reason: Reason, message: string): Failure {
  return { reason, message: `${message}; ${remedyOf(reason) ?? ''}` };
}

/** Returns a condition for each step of the check. Steps before the failed step are True, later steps are Unknown. */
function conditionsOf(finding: ConnectionFinding): NewCondition[] {
  const failure = failureOf(finding);
  const failed = failure === undefined ? undefined : (stageOf[failure.reason] ?? 'Reachable');
  const place = failed === undefined ? stages.length : stages.indexOf(failed);
  // A problem with the Secret occurs before the server is contacted.
  const isBeforeServer = failure?.reason === 'SecretNotFound' || failure?.reason === 'SecretKeysMissing';
  const each = stages.map((type, index): NewCondition => {
    if (index === place && failure !== undefined) return { type, status: 'False', ...failure };
    if (index > place || isBeforeServer) return { type, status: 'Unknown', reason: 'NotChecked' };
    if (type === 'Authorized' && finding.ok && !finding.report.arePrivilegesKnown)
      return {
        type,
        status: 'Unknown',
        ...withRemedy('PrivilegesUnknown', 'vCenter did not report the privileges of the account'),
      };
    return { type, status: 'True', reason: 'Verified' };
  });
  const ready: NewCondition =
    failure === undefined
      ? { type: 'Ready', status: 'True', reason: 'Verified' }
      : { type: 'Ready', status: 'False', ...failure };
  return [...each, ready];
}
