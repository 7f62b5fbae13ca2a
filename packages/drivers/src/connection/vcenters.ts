/** Address, trust and credentials of one vCenter. Contains the password: never log it. */
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
  /** The drivers that use the connection, which determine the required privileges. */
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
  /** False if vCenter reported no privileges, as for a user without a domain. */
  readonly arePrivilegesKnown: boolean;
}

/** Properties of a virtual machine for the node checks. */
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

/** Client interface of the operator to vCenters. */
export interface VCenters {
  /** Throws a DriverError with the reason of the first problem. */
  check(target: ConnectionTarget, signal: AbortSignal): Promise<ConnectionReport>;
  machines(target: ConnectionTarget, signal: AbortSignal): Promise<readonly MachineFacts[]>;
}
