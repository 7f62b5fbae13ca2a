/** A network interface of the machine. */
export interface SeedInterface {
  readonly macAddress: string;
  /** Addresses with prefix lengths. Empty for DHCP. */
  readonly addresses: readonly string[];
  readonly gateway?: string;
  readonly mtu?: number;
  readonly nameservers: readonly string[];
  readonly searchDomains: readonly string[];
}

export interface SeedDisk {
  /** Disk serial. The disk is `/dev/disk/by-id/virtio-<serial>` in the guest. */
  readonly serial: string;
  readonly mountPath: string;
}

export interface SeedShare {
  readonly mountTag: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
}

/** Data of the machine for the seed image, in addition to the bootstrap data. */
export interface SeedFacts {
  readonly uuid: string;
  readonly hostName: string;
  readonly failureDomain?: string;
  readonly interfaces: readonly SeedInterface[];
  readonly ntpServers: readonly string[];
  readonly disks: readonly SeedDisk[];
  readonly shares: readonly SeedShare[];
  readonly iscsiInitiatorName?: string;
  readonly dockerNetworkCidr?: string;
  /** Entries of /etc/hosts. */
  readonly hosts: readonly { readonly address: string; readonly name: string }[];
}
