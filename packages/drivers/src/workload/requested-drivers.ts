import type { Frozen, KubeObject } from '@slipway/kube';
import { clusterAnnotations, DriverError, type DriverName, driverNames } from '../api/index.js';

/** What a Cluster says of the drivers that it wants. */
export interface RequestedDrivers {
  readonly drivers: readonly DriverName[];
  /** The Secret of each driver, beside the Cluster. */
  readonly secrets: Readonly<Partial<Record<DriverName, string>>>;
  /** None: those of its machines. */
  readonly datacenters: readonly string[];
}

/** Undefined for a Cluster that asks for nothing. */
export function requestedDrivers({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): RequestedDrivers | undefined {
  const { annotations: own = {} } = metadata;
  const wish = own[clusterAnnotations.drivers];
  if (wish === undefined) return undefined;
  const words = listOf(wish);
  const unknown = words.find((word) => !(driverNames as readonly string[]).includes(word));
  if (unknown !== undefined || !words.includes('csi'))
    throw new DriverError(
      'RequestInvalid',
      `${clusterAnnotations.drivers} says "${wish}": it may say "cpi,csi" or "csi"`,
    );
  const drivers = driverNames.filter((name) => words.includes(name));
  const shared = own[clusterAnnotations.credentials];
  const named = {
    cpi: own[clusterAnnotations.cpiCredentials] ?? shared,
    csi: own[clusterAnnotations.csiCredentials] ?? shared,
  };
  const missing = drivers.find((driver) => (named[driver] ?? '') === '');
  if (missing !== undefined)
    throw new DriverError(
      'CredentialsMissing',
      `no Secret is named for the ${missing.toUpperCase()}: the account of the machines is not given to the cluster`,
    );
  const secrets = Object.fromEntries(drivers.map((driver) => [driver, named[driver]]));
  return { drivers, secrets, datacenters: listOf(own[clusterAnnotations.datacenters] ?? '') };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
