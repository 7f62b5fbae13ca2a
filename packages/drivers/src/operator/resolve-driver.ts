import type { Frozen } from '@slipway/kube';
import { annotations, DriverError, type DriverName, type VdoConfig } from '../api/index.js';
import { type Resolution, resolveVersion, type VersionQuestion } from '../matrix/index.js';
import { isManaged } from './connection-scope.js';
import { driverStatusOf, pinOf } from './driver-state.js';
import type { Observed } from './observe.js';
import type { OperatorOptions } from './dependencies.js';

/** Resolves the desired version from the observed state. */
export function resolveDriver(
  driver: DriverName,
  observed: Observed,
  options: OperatorOptions,
  nowMs: number,
  hasGeneratedId: boolean,
): Resolution {
  const { config, supplied, kubernetes, connections } = observed;
  if (supplied instanceof DriverError) return { problem: { reason: 'WaitingForMatrix', message: supplied.message } };
  const vCenters = connections[driver].connections.map(({ spec, status }) => ({
    server: spec?.vcIp ?? '',
    version: status?.apiVersion,
  }));
  const unseen = vCenters.filter(({ version }) => version === undefined);
  if (vCenters.length === 0 || unseen.length > 0) {
    const message =
      connections[driver].problem?.message ??
      `waiting for the version of ${unseen.map(({ server }) => server).join(', ')}`;
    return { problem: { reason: 'WaitingForConnection', message } };
  }
  return resolveVersion({
    matrix: supplied.matrix,
    driver,
    around: {
      kubernetes,
      vCenters: vCenters.map(({ server, version = '' }) => ({ server, version })),
      hasCloudProvider: isManaged(config.spec, 'cpi'),
    },
    policy: options.updatePolicy,
    pin: pinOf(config, driver),
    installed: driverStatusOf(config, driver).installedVersion,
    allowIncompatible: config.metadata.annotations?.[annotations.allowIncompatible] === 'true',
    floors: driver === 'csi' ? floorsOf(config, vCenters.length, hasGeneratedId) : [],
    mayUpgradeNow: isWithinWindow(options.maintenanceWindow, nowMs),
  });
}

/** Returns the minimum versions of the storage driver that features in use require. */
function floorsOf(
  { spec }: Frozen<VdoConfig>,
  vCenters: number,
  hasGeneratedId: boolean,
): NonNullable<VersionQuestion['floors']> {
  const floors: { version: string; because: string }[] = [];
  if (vCenters > 1) floors.push({ version: '3.0.0', because: 'several vCenters are in use' });
  if (hasGeneratedId) floors.push({ version: '3.0.0', because: 'the driver generated the cluster ID' });
  if (spec?.storageProvider?.snapshots !== undefined)
    floors.push({ version: '2.5.0', because: 'snapshots are in use' });
  return floors;
}

function isWithinWindow(window: OperatorOptions['maintenanceWindow'], nowMs: number): boolean {
  if (window === undefined) return true;
  const hour = new Date(nowMs).getUTCHours();
  const { fromHour, toHour } = window;
  return fromHour <= toHour ? hour >= fromHour && hour < toHour : hour >= fromHour || hour < toHour;
}
