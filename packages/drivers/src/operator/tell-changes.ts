import type { Frozen } from '@slipway/kube';
import { getCondition, type ReconcileContext } from '@slipway/runtime';
import { type DriverStatus, remedyOf, type VdoConfig } from '../api/index.js';

/** Events about what has changed for a person: versions, health, nodes, the matrix. */
export function tellChanges(
  before: Frozen<VdoConfig>,
  after: Frozen<VdoConfig>,
  { events, logger }: ReconcileContext,
): void {
  const tell = (type: 'Normal' | 'Warning', reason: string, message: string): void => {
    events.record(after, { type, reason, message });
    logger.info({ reason }, message);
  };
  const pairs = [
    ['CPI', before.status?.cloudProvider, after.status?.cloudProvider],
    ['CSI', before.status?.storageProvider, after.status?.storageProvider],
  ] as const;
  for (const [name, was, is] of pairs) tellDriver(name, was ?? {}, is ?? {}, tell);
  const [wasMatrix, isMatrix] = [before, after].map((config) => getCondition(config, 'MatrixAvailable'));
  if (isMatrix !== undefined && wasMatrix?.message !== isMatrix.message)
    tell(isMatrix.status === 'True' ? 'Normal' : 'Warning', 'MatrixUpdated', isMatrix.message);
  tellVersions(before, after, tell);
  tellNodes(before, after, tell);
}

function tellVersions(before: Frozen<VdoConfig>, after: Frozen<VdoConfig>, tell: Tell): void {
  const versions = getCondition(after, 'VersionsResolved');
  if (versions?.status === 'False' && getCondition(before, 'VersionsResolved')?.message !== versions.message)
    tell('Warning', 'UpgradeBlocked', versions.message);
}

type Tell = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

function tellDriver(name: string, was: Frozen<DriverStatus>, is: Frozen<DriverStatus>, tell: Tell): void {
  const { installedVersion: version } = is;
  if (version !== undefined && version !== was.installedVersion) {
    if (was.installedVersion === undefined)
      tell('Normal', 'DriverInstalled', `${name} ${version} is installed and healthy`);
    else tell('Normal', 'DriverUpgraded', `${name} went from ${was.installedVersion} to ${version}`);
  }
  const isIll = is.health === 'Unhealthy' || is.health === 'Degraded';
  if (isIll && is.health !== was.health) tell('Warning', 'DriverUnhealthy', `${name}: ${is.message ?? ''}`);
}

function tellNodes(before: Frozen<VdoConfig>, after: Frozen<VdoConfig>, tell: Tell): void {
  const was = new Map((before.status?.nodes ?? []).map((node) => [node.name, node.state]));
  for (const { name, state, reason } of after.status?.nodes ?? []) {
    if (was.get(name) === state) continue;
    if (state === 'ready') tell('Normal', 'NodeInitialized', `node ${name} has its providerID`);
    if (reason === 'NodeNotFound') tell('Warning', 'NodeNotFound', `node ${name}: ${remedyOf(reason) ?? ''}`);
  }
}
