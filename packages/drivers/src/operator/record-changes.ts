import type { Frozen } from '@slipway/kube';
import { getCondition, type ReconcileContext } from '@slipway/runtime';
import { type DriverStatus, remedyOf, type VdoConfig } from '../api/index.js';

/** Records events for changes of versions, health, nodes and the matrix. */
export function recordChanges(
  before: Frozen<VdoConfig>,
  after: Frozen<VdoConfig>,
  { events, logger }: ReconcileContext,
): void {
  const record = (type: 'Normal' | 'Warning', reason: string, message: string): void => {
    events.record(after, { type, reason, message });
    logger.info({ reason }, message);
  };
  const pairs = [
    ['CPI', before.status?.cloudProvider, after.status?.cloudProvider],
    ['CSI', before.status?.storageProvider, after.status?.storageProvider],
  ] as const;
  for (const [name, was, is] of pairs) recordDriver(name, was ?? {}, is ?? {}, record);
  const [wasMatrix, isMatrix] = [before, after].map((config) => getCondition(config, 'MatrixAvailable'));
  if (isMatrix !== undefined && wasMatrix?.message !== isMatrix.message)
    record(isMatrix.status === 'True' ? 'Normal' : 'Warning', 'MatrixUpdated', isMatrix.message);
  recordVersions(before, after, record);
  recordNodes(before, after, record);
}

function recordVersions(before: Frozen<VdoConfig>, after: Frozen<VdoConfig>, record: RecordEvent): void {
  const versions = getCondition(after, 'VersionsResolved');
  if (versions?.status === 'False' && getCondition(before, 'VersionsResolved')?.message !== versions.message)
    record('Warning', 'UpgradeBlocked', versions.message);
}

type RecordEvent = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

function recordDriver(name: string, was: Frozen<DriverStatus>, is: Frozen<DriverStatus>, record: RecordEvent): void {
  const { installedVersion: version } = is;
  if (version !== undefined && version !== was.installedVersion) {
    if (was.installedVersion === undefined) record('Normal', 'DriverInstalled', `Installed ${name} ${version}`);
    else record('Normal', 'DriverUpgraded', `Upgraded ${name} from ${was.installedVersion} to ${version}`);
  }
  const isIll = is.health === 'Unhealthy' || is.health === 'Degraded';
  if (isIll && is.health !== was.health) record('Warning', 'DriverUnhealthy', `${name}: ${is.message ?? ''}`);
}

function recordNodes(before: Frozen<VdoConfig>, after: Frozen<VdoConfig>, record: RecordEvent): void {
  const was = new Map((before.status?.nodes ?? []).map((node) => [node.name, node.state]));
  for (const { name, state, reason } of after.status?.nodes ?? []) {
    if (was.get(name) === state) continue;
    if (state === 'ready') record('Normal', 'NodeInitialized', `Initialized Node ${name}`);
    if (reason === 'NodeNotFound')
      record('Warning', 'NodeNotFound', `No VM found for Node ${name}; ${remedyOf(reason) ?? ''}`);
  }
}
