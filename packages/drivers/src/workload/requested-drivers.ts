import type { Frozen, KubeObject } from '@slipway/kube';
import { clusterAnnotations, DriverError, type DriverName, driverNames } from '../api/index.js';

/** The drivers that a Cluster requests. */
export interface RequestedDrivers {
  readonly drivers: readonly DriverName[];
  /** The Secret of each driver in the namespace of the Cluster. */
  readonly secrets: Readonly<Partial<Record<DriverName, string>>>;
  /** Datacenters. Empty for those of the machines. */
  readonly datacenters: readonly string[];
}

/** Returns the drivers that a Cluster requests, or undefined if it requests none. */
export function requestedDrivers({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): RequestedDrivers | undefined {
  const { annotations: own = {} } = metadata;
  const requested = own[clusterAnnotations.drivers];
  if (requested === undefined) return undefined;
  const words = listOf(requested);
  const unknown = words.find((word) => !(driverNames as readonly string[]).includes(word));
  if (unknown !== undefined || !words.includes('csi'))
    throw new DriverError(
      'RequestInvalid',
      `invalid value "${requested}" of ${clusterAnnotations.drivers}: must be "cpi,csi" or "csi"`,
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
      `no credentials Secret is set for the ${missing.toUpperCase()}; the vCenter account of the machines is never copied to the cluster`,
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
