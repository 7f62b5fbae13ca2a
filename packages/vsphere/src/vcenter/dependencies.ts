import type { Credentials, SessionPool } from '../vim25/index.js';
import type { CredentialsWatch } from './credentials/index.js';

/** What the controllers of vCenter mode share. */
export interface VCenterDependencies {
  readonly sessions: SessionPool;
  /** Tells of Secrets that changed: a new password counts at once. */
  readonly credentials: CredentialsWatch;
  /** The credentials that the manager itself was given, for clusters that name none. Asked anew each time: they rotate. */
  readonly managerCredentials: () => Promise<Credentials | undefined>;
  /** Where the Secrets of VSphereClusterIdentities are. */
  readonly controllerNamespace: string;
  /** Where an address of a guest is reached from here: there, but for guests that are simulated. */
  readonly reachGuest: (address: string) => string;
  /** Whether cluster modules are kept: the gate NodeAntiAffinity. */
  readonly nodeAntiAffinity: boolean;
}
