/** How to reach and judge one vCenter. Holds the password: never to be logged. */
export interface ConnectionTarget {
  readonly server: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly insecure: boolean;
  readonly thumbprint?: string | undefined;
  readonly caBundle?: string | undefined;
  readonly datacenters: readonly string[];
  readonly datastores: readonly string[];
  readonly clusters: readonly string[];
  readonly folders: readonly string[];
  /** Which drivers use it, and so what the account must be allowed to do. */
  readonly usedBy: { readonly cpi: boolean; readonly csi: boolean; readonly fileVolumes: boolean };
}

export interface CertificateFacts {
  readonly sha1: string;
  readonly sha256: string;
  readonly notAfter: string;
}

export interface ConnectionReport {
  readonly version: string;
  readonly apiVersion: string;
  readonly build: string;
  readonly instanceUuid: string;
  readonly certificate: CertificateFacts | undefined;
  readonly missingPrivileges: readonly { readonly entity: string; readonly privilege: string }[];
  /** vCenter says nothing of a user without a domain: that is no yes. */
  readonly arePrivilegesKnown: boolean;
}

/** A virtual machine as the checks of nodes need it. */
export interface MachineFacts {
  readonly name: string;
  readonly uuid: string;
  readonly addresses: readonly string[];
  readonly hostName: string | undefined;
  readonly hardware: string | undefined;
  readonly isDiskUuidEnabled: boolean | undefined;
  readonly areToolsRunning: boolean;
  readonly hostVersion: string | undefined;
}

/** What the operator asks of vCenters. */
export interface VCenters {
  /** Throws DriverError with the reason of the first thing that is wrong. */
  check(target: ConnectionTarget, signal: AbortSignal): Promise<ConnectionReport>;
  machines(target: ConnectionTarget, signal: AbortSignal): Promise<readonly MachineFacts[]>;
}
