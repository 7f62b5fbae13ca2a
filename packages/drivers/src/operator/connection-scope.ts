import type { Frozen } from '@slipway/kube';
import type { DriverName, VdoConfig, VsphereCloudConfig } from '../api/index.js';

type Spec = Frozen<VdoConfig>['spec'];

/** Returns the names of the connections that a driver is restricted to. Empty for all connections. */
function namedConnections(spec: Spec, driver: DriverName): readonly string[] {
  if (driver === 'cpi') return spec?.cloudProvider?.vsphereCloudConfigs ?? [];
  const { vsphereCloudConfig = '', vsphereCloudConfigs = [] } = spec?.storageProvider ?? {};
  return [...new Set([...(vsphereCloudConfig === '' ? [] : [vsphereCloudConfig]), ...vsphereCloudConfigs])];
}

export function isManaged(spec: Spec, driver: DriverName): boolean {
  return driver === 'csi' || spec?.cloudProvider !== undefined;
}

/** Returns the connections of a driver sorted by name, and the names that do not exist. */
export function connectionsOf(
  config: Frozen<VdoConfig>,
  driver: DriverName,
  all: Iterable<Frozen<VsphereCloudConfig>>,
): { readonly connections: readonly Frozen<VsphereCloudConfig>[]; readonly unknown: readonly string[] } {
  const own = [...all]
    .filter(({ metadata }) => metadata.namespace === config.metadata.namespace && !metadata.deletionTimestamp)
    .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
  const names = namedConnections(config.spec, driver);
  if (names.length === 0) return { connections: own, unknown: [] };
  return {
    connections: own.filter(({ metadata }) => names.includes(metadata.name ?? '')),
    unknown: names.filter((name) => !own.some(({ metadata }) => metadata.name === name)),
  };
}

/** Returns which drivers use a connection. This determines the required privileges. */
export function scopeOf(
  config: Frozen<VdoConfig> | undefined,
  connection: string,
): { readonly cpi: boolean; readonly csi: boolean; readonly fileVolumes: boolean } {
  if (config === undefined) return { cpi: false, csi: false, fileVolumes: false };
  const uses = (driver: DriverName): boolean => {
    const names = namedConnections(config.spec, driver);
    return isManaged(config.spec, driver) && (names.length === 0 || names.includes(connection));
  };
  return { cpi: uses('cpi'), csi: uses('csi'), fileVolumes: config.spec?.storageProvider?.fileVolumes !== undefined };
}
