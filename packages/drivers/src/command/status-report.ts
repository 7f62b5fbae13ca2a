import type { Frozen } from '@slipway/kube';
import { type Reader, type Deployment, deployments, getCondition, ifPresent, isConditionFalse } from '@slipway/runtime';
import {
  annotations,
  type DriverStatus,
  operatorName,
  operatorNamespace,
  remedyOf,
  type VdoConfig,
  vdoConfigs,
  type VsphereCloudConfig,
  vsphereCloudConfigs,
} from '../api/index.js';
import { activeVdoConfig } from '../operator/active-vdo-config.js';

/** The state of the drivers, read from the API without contacting vCenter. */
export interface StatusReport {
  readonly operator: { readonly image: string; readonly available: boolean } | undefined;
  readonly vdoConfig: Frozen<VdoConfig> | undefined;
  readonly connections: readonly Frozen<VsphereCloudConfig>[];
}

export async function readStatus(read: Reader, signal: AbortSignal): Promise<StatusReport> {
  const key = { namespace: operatorNamespace, name: operatorName };
  const deployment = await ifPresent(read.get(deployments, key, { signal }));
  // The CRDs may be missing if the operator is not installed.
  const configs = await ifPresent(read.list(vdoConfigs, { signal }));
  const vdoConfig = activeVdoConfig(configs?.items ?? []);
  const operator = operatorOf(deployment, vdoConfig);
  if (operator === undefined) return { operator, vdoConfig: undefined, connections: [] };
  const { items: connections } = await read.list(vsphereCloudConfigs, { signal });
  return { operator, vdoConfig, connections };
}

function operatorOf(
  deployment: Frozen<Deployment> | undefined,
  vdoConfig: Frozen<VdoConfig> | undefined,
): StatusReport['operator'] {
  const host = vdoConfig?.metadata.annotations?.[annotations.hostedBy];
  if (deployment === undefined)
    return host === undefined ? undefined : { image: `the management plane of ${host}`, available: true };
  const container = deployment.spec?.template.spec?.containers.find(({ name }) => name === 'manager');
  return { image: container?.image ?? '', available: (deployment.status?.availableReplicas ?? 0) > 0 };
}

export function isHealthy({ vdoConfig }: StatusReport): boolean {
  return vdoConfig !== undefined && getCondition(vdoConfig, 'Ready')?.status === 'True';
}

/** Returns a human-readable status: one word if healthy, otherwise the problems with their remedies at the end. */
export function statusText(report: StatusReport): string {
  const { operator, vdoConfig, connections } = report;
  if (operator === undefined) return 'VDO: not deployed\n';
  if (vdoConfig === undefined) return 'VDO: deployed, but no driver is configured\n';
  const { status } = vdoConfig;
  const lines = [`VDO: ${isHealthy(report) ? 'Healthy' : (status?.summary ?? 'status not reported yet')}`, ''];
  lines.push(
    driverLine('CloudProvider  ', status?.cloudProvider),
    driverLine('StorageProvider', status?.storageProvider),
  );
  lines.push('', 'vCenters:', ...connections.map(connectionLine));
  const nodes = status?.nodes ?? [];
  if (nodes.length > 0)
    lines.push(
      '',
      'Nodes:',
      ...nodes.map(
        ({ name, state, message }) => `  ${name} : ${state}${state === 'ready' ? '' : `  ${message ?? ''}`}`,
      ),
    );
  const problems = problemsOf(report);
  if (problems.length > 0) lines.push('', 'Problems:', ...problems.map((problem) => `  ${problem}`));
  return `${lines.join('\n')}\n`;
}

function driverLine(name: string, driver: Frozen<DriverStatus> = {}): string {
  const { installedVersion, desiredVersion, availableUpgrade, health = 'Unknown' } = driver;
  if (health === 'NotConfigured') return `${name} : Not Configured`;
  const desired = desiredVersion !== undefined && desiredVersion !== installedVersion ? ` → ${desiredVersion}` : '';
  const offer = availableUpgrade === undefined ? '' : ` (${availableUpgrade} is available)`;
  return `${name} : ${installedVersion ?? '-'}${desired}${offer}  ${health}`;
}

function connectionLine(connection: Frozen<VsphereCloudConfig>): string {
  const { spec, status, metadata } = connection;
  const ready = getCondition(connection, 'Ready');
  const state =
    ready === undefined ? 'not checked yet' : ready.status === 'True' ? 'Credentials Verified' : ready.reason;
  const expiry =
    status?.certificate === undefined ? '' : `  certificate expires on ${status.certificate.notAfter.slice(0, 10)}`;
  return `  ${spec?.vcIp ?? ''}  ${metadata.name ?? ''}  ${status?.user ?? '-'}  ${status?.apiVersion ?? '-'}  (${state})${expiry}`;
}

function problemsOf({ vdoConfig, connections }: StatusReport): string[] {
  const objects = [...(vdoConfig === undefined ? [] : [vdoConfig]), ...connections];
  const reported = objects.flatMap((object) =>
    (object.status?.conditions ?? [])
      .filter(
        ({ type, status }) =>
          type !== 'Ready' &&
          type !== 'Paused' &&
          type !== 'Progressing' &&
          type !== 'UpgradeAvailable' &&
          type !== 'Degraded' &&
          status === 'False',
      )
      .map(
        ({ type, reason, message }) =>
          `${object.metadata.name ?? ''} ${type}: ${message === '' ? reason : message}${message.includes(remedyOf(reason) ?? ' ') ? '' : `; ${remedyOf(reason) ?? ''}`}`,
      ),
  );
  const degraded = vdoConfig === undefined ? undefined : getCondition(vdoConfig, 'Degraded');
  const superseded =
    vdoConfig !== undefined && isConditionFalse(vdoConfig, 'Ready') && reported.length === 0
      ? [getCondition(vdoConfig, 'Ready')?.message ?? '']
      : [];
  return [...reported, ...(degraded?.status === 'True' ? [`Degraded: ${degraded.message}`] : []), ...superseded];
}
