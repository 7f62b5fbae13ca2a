import { type Frozen, parseTime } from '@slipway/kube';
import {
  done,
  FencedError,
  getCondition,
  keyText,
  type ObjectKey,
  type Outcome,
  type Reader,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { annotations, DriverError, vdoConfigs, type VsphereCloudConfig, vsphereCloudConfigs } from '../api/index.js';
import { activeVdoConfig } from './active-vdo-config.js';
import { scopeOf } from './connection-scope.js';
import type { OperatorDependencies } from './dependencies.js';
import { type ConnectionFinding, withFinding } from '../connection/connection-status.js';
import { readAccount, readAuthorities } from '../connection/credentials.js';
import { loginPauseMs, mayTryLogin } from '../connection/login-pause.js';
import type { ConnectionTarget } from '../connection/vcenters.js';

const intervalMs = 300_000;
/**
 * Polling interval of Secrets. They are read by name: a watch would require permission to read all Secrets. vCenter is contacted
 * only after a change or when the check interval is over.
 */
const secretPollMs = 60_000;

/** Checks one connection: reachability, trust, authentication and privileges. */
export async function reconcileConnection(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Outcome> {
  const connection = context.sources.sourceFor(vsphereCloudConfigs).get(key);
  if (connection === undefined || connection.metadata.deletionTimestamp) return done();
  const nowMs = context.clock.now();
  const requeue = { ms: secretPollMs, reason: 'Watching', message: 'Polling the Secret' };
  const opened = await openTarget(context, connection, dependencies);
  const checkedMs = dependencies.memory.checkedMs.get(keyText(key));
  if (!(opened instanceof DriverError) && !isDue(connection, opened.secretVersion, nowMs, checkedMs))
    return wait(requeue);
  dependencies.memory.checkedMs.set(keyText(key), nowMs);
  const finding =
    opened instanceof DriverError
      ? ({ ok: false, error: opened } as const)
      : await check(context, opened.target, opened.secretVersion, dependencies);
  const after = withFinding(connection, finding, nowMs);
  dependencies.metrics.connectionChecked(connection, finding.ok);
  if (after !== connection) {
    await context.change({
      verb: 'status',
      resource: vsphereCloudConfigs,
      before: connection,
      after,
      ownedConditions: 'all',
      reason: 'StatusUpdated',
      message: 'Updated status',
    });
    recordChange(context, connection, after);
  }
  const failures = after.status?.loginFailures ?? 0;
  if (failures === 0) return wait({ ...requeue, ms: Math.round(secretPollMs * (0.9 + context.random.next() * 0.2)) });
  const pause = loginPauseMs(failures);
  return wait({ ...requeue, ms: Math.min(pause ?? secretPollMs, secretPollMs) });
}

interface OpenedTarget {
  readonly target: ConnectionTarget;
  readonly secretVersion: string;
}

/** Returns the connection with its credentials, or the problem with the credentials. */
async function openTarget(
  context: ReconcileContext,
  connection: Frozen<VsphereCloudConfig>,
  dependencies: OperatorDependencies,
): Promise<OpenedTarget | DriverError> {
  try {
    const { target, secretVersion } = await targetOf(
      context.read,
      connection,
      dependencies.options.namespace,
      context.signal,
    );
    const active = activeVdoConfig(context.sources.sourceFor(vdoConfigs).list());
    const usedBy = scopeOf(active, connection.metadata.name ?? '');
    return { target: { ...target, usedBy }, secretVersion };
  } catch (error) {
    if (error instanceof DriverError) return error;
    throw error;
  }
}

/** Returns the target of a connection with its credentials. */
export async function targetOf(
  read: Reader,
  connection: Frozen<VsphereCloudConfig>,
  operatorNamespace: string,
  signal: AbortSignal,
): Promise<OpenedTarget> {
  const { spec } = connection;
  if (spec === undefined) throw new DriverError('ConfigurationInvalid', 'spec is missing');
  if (spec.insecure && (spec.thumbprint !== undefined || spec.caBundle !== undefined || spec.caBundleRef !== undefined))
    throw new DriverError('ContradictoryTrust', 'spec.insecure is set together with a thumbprint or a CA bundle');
  const account = await readAccount(read, connection, operatorNamespace, signal);
  const caBundle = await readAuthorities(read, connection, signal);
  const target: ConnectionTarget = {
    server: spec.vcIp,
    port: spec.port ?? 443,
    username: account.username,
    password: account.password,
    insecure: spec.insecure,
    thumbprint: spec.thumbprint,
    caBundle,
    datacenters: spec.datacenters,
    datastores: spec.datastores ?? [],
    clusters: spec.clusters ?? [],
    folders: spec.folders ?? [],
    usedBy: { cpi: false, csi: false, fileVolumes: false },
  };
  return { target, secretVersion: account.version };
}

function isDue(
  connection: Frozen<VsphereCloudConfig>,
  secretVersion: string,
  nowMs: number,
  checkedMs: number | undefined,
): boolean {
  const { status, metadata } = connection;
  if (status?.lastCheckTime === undefined || status.observedGeneration !== metadata.generation) return true;
  if ((metadata.annotations?.[annotations.retry] ?? '') !== (status.lastSeenRetry ?? '')) return true;
  const isSamePassword = status.observedSecretResourceVersion === secretVersion;
  if (!isSamePassword) return true;
  const failures = status.loginFailures ?? 0;
  const lastCheckMs = parseTime(status.lastCheckTime);
  if (failures > 0) return mayTryLogin({ failures, lastCheckMs, isSamePassword, nowMs });
  return status.config === 'failed' || nowMs - (checkedMs ?? lastCheckMs) >= intervalMs;
}

async function check(
  context: ReconcileContext,
  target: ConnectionTarget,
  secretVersion: string,
  dependencies: OperatorDependencies,
): Promise<ConnectionFinding> {
  const user = target.username;
  const started = context.clock.monotonic();
  try {
    context.check();
    const report = await dependencies.vcenters.check(target, context.signal);
    dependencies.metrics.connectionTook(context.clock.monotonic() - started);
    return { ok: true, report, user, secretVersion };
  } catch (error) {
    if (error instanceof FencedError || context.signal.aborted || !(error instanceof DriverError)) throw error;
    return { ok: false, error, user, secretVersion };
  }
}

function recordChange(
  context: ReconcileContext,
  before: Frozen<VsphereCloudConfig>,
  after: Frozen<VsphereCloudConfig>,
): void {
  const [was, is] = [getCondition(before, 'Ready'), getCondition(after, 'Ready')];
  if (is === undefined || (was?.status === is.status && was.reason === is.reason)) return;
  const isGood = is.status === 'True';
  context.logger.info({ reason: is.reason, server: after.spec?.vcIp }, 'Validated connection');
  context.events.record(after, {
    type: isGood ? 'Normal' : 'Warning',
    reason: isGood ? 'ConnectionVerified' : 'ConnectionFailed',
    message: isGood ? `Logged in to ${after.spec?.vcIp ?? ''} as ${after.status?.user ?? ''}` : is.message,
  });
}
