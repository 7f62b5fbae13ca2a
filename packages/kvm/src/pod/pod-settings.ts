/** How pods of a cluster run virtual machines. */
export interface PodSettings {
  /** The image of the launcher: this program with QEMU. */
  readonly launcherImage: string;
  /**
   * The names under which a device plugin gives `/dev/kvm` and `/dev/net/tun` away. Without them the devices come from the
   * node itself, which only privileged containers may use.
   */
  readonly devices?: { readonly kvm: string; readonly tun: string };
  /** The folder of the nodes in which images are kept. */
  readonly imageFolder: string;
}

export const podSettingsDefault: PodSettings = {
  launcherImage: 'ghcr.io/slipway/vmm:latest',
  imageFolder: '/var/lib/capk/images',
};

/** Where the launcher finds things in its container. */
export const launcherPaths = {
  document: '/etc/capk',
  bootstrap: '/var/lib/capk/bootstrap',
  /** In the folder of disks, where whoever runs machines keeps what they begin with. */
  images: '/var/lib/capk/disks/images',
  disks: '/var/lib/capk/disks',
  etcd: '/var/lib/capk/etcd',
  hostVolumes: '/var/lib/capk/volumes',
  run: '/run/capk',
} as const;

export const documentFile = 'vm.json';
