import type { Credentials, SessionPool } from '../vim25/index.js';
import type { CredentialsWatch } from './credentials/index.js';

/** Dependencies of the controllers of vCenter mode. */
export interface VCenterDependencies {
  readonly sessions: SessionPool;
  /** Reports changed Secrets, so that a new password is used immediately. */
  readonly credentials: CredentialsWatch;
  /** The manager's credentials, for clusters without an identity. Read each time, because they rotate. */
  readonly managerCredentials: () => Promise<Credentials | undefined>;
  /** Namespace of the Secrets of VSphereClusterIdentities. */
  readonly controllerNamespace: string;
  /** Maps the address of a guest to the address to connect to. They differ for simulated guests only. */
  readonly reachGuest: (address: string) => string;
  /** Whether the feature gate NodeAntiAffinity is enabled. */
  readonly nodeAntiAffinity: boolean;
}
