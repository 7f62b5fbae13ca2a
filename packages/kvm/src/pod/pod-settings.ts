export interface PodSettings {
  /** Container image of the launcher: this program with QEMU. */
  readonly launcherImage: string;
  /**
   * Extended resources of the device plugin for `/dev/kvm` and `/dev/net/tun`. Without them, the pod is privileged and uses the
   * devices of the node.
   */
  readonly devices?: { readonly kvm: string; readonly tun: string };
  /** Directory of the image cache on the nodes. */
  readonly imageFolder: string;
}

/** Settings without the image, whose tag is the version of this program. */
export const podSettingsDefault: Omit<PodSettings, 'launcherImage'> = {
  imageFolder: '/var/lib/capk/images',
};

/** Mount paths in the launcher container. */
export const launcherPaths = {
  document: '/etc/capk',
  bootstrap: '/var/lib/capk/bootstrap',
  /** Image store. It is in the disk directory, as with the local backend. */
  images: '/var/lib/capk/disks/images',
  disks: '/var/lib/capk/disks',
  etcd: '/var/lib/capk/etcd',
  hostVolumes: '/var/lib/capk/volumes',
  run: '/run/capk',
} as const;

export const documentFile = 'vm.json';
