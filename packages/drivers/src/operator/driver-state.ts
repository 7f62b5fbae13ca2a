import type { Frozen } from '@slipway/kube';
import type { DriverError, DriverName, DriverStatus, VdoConfig } from '../api/index.js';
import type { DriverHealth } from '../health/index.js';
import type { Resolution } from '../matrix/index.js';
import type { Preconditions } from './preconditions.js';

/** What a look found out and did about one driver. */
export interface DriverState {
  readonly driver: DriverName;
  readonly isManaged: boolean;
  readonly resolution: Resolution;
  readonly preconditions: Preconditions;
  readonly health: DriverHealth;
  /** Why it could not be brought to what is wanted. What runs goes on. */
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
