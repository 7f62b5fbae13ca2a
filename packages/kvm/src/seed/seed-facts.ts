/** An interface of the machine. */
export interface SeedInterface {
  readonly macAddress: string;
  /** With prefix lengths; none: DHCP. */
  readonly addresses: readonly string[];
  readonly gateway?: string;
  readonly mtu?: number;
  readonly nameservers: readonly string[];
  readonly searchDomains: readonly string[];
}

export interface SeedDisk {
  /** As the guest sees it: `virtio-<serial>`. */
  readonly serial: string;
  readonly mountPath: string;
}

export interface SeedShare {
  readonly mountTag: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
}

/** What the first boot is told about its machine, beside the bootstrap data. */
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
  /** Lines for /etc/hosts. */
  readonly hosts: readonly { readonly address: string; readonly name: string }[];
}
