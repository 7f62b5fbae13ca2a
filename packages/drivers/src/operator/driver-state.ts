import type { Frozen } from '@slipway/kube';
import type { DriverError, DriverName, DriverStatus, VdoConfig } from '../api/index.js';
import type { DriverHealth } from '../health/index.js';
import type { Resolution } from '../matrix/index.js';
import type { Preconditions } from './preconditions.js';

/** The state of one driver after a reconcile. */
export interface DriverState {
  readonly driver: DriverName;
  readonly isManaged: boolean;
  readonly resolution: Resolution;
  readonly preconditions: Preconditions;
  readonly health: DriverHealth;
  /** Why the desired state could not be reached. A running driver is kept nevertheless. */
  readonly problem?: DriverError;
  readonly status: DriverStatus;
  readonly registered?: readonly string[];
}

export function driverStatusOf({ status }: Frozen<VdoConfig>, driver: DriverName): Frozen<DriverStatus> {
  return (driver === 'cpi' ? status?.cloudProvider : status?.storageProvider) ?? {};
}

export function pinOf({ spec }: Frozen<VdoConfig>, driver: DriverName): string | undefined {
  return driver === 'cpi' ? spec?.cloudProvider?.version : spec?.storageProvider?.version;
}
