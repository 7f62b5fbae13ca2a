import { boolean, enumeration, mapList, object, optional, quantity, refine, string } from '@slipway/kube/kit';

const resources = object(
  {
    cpu: optional(
      quantity({
        description:
          'Number of virtual CPUs, rounded up to a whole number. With backend local, a fraction also limits the CPU time of the guest. Defaults to 2.',
      }),
    ),
    memory: optional(
      quantity({ description: 'Memory of the guest, rounded up to whole MiB. At least 32Mi. Defaults to 4Gi.' }),
    ),
    disk: optional(
      quantity({ description: 'Size of the root disk. It must not be smaller than the image. Defaults to 20Gi.' }),
    ),
    dockerVolumeSize: optional(
      quantity({
        description: 'Size of a separate disk for the container runtime. If not set, or with 0, there is no such disk.',
      }),
    ),
    dockerVolumePath: optional(
      string({
        pattern: '^/[^:]*$',
        maxLength: 255,
        description:
          'Path in the guest at which the disk of dockerVolumeSize is mounted. Defaults to /var/lib/containerd.',
      }),
    ),
    kubeletVolumeSize: optional(
      quantity({
        description: 'Size of a separate disk for /var/lib/kubelet. If not set, or with 0, there is no such disk.',
      }),
    ),
    overhead: optional(
      object(
        {
          memory: optional(
            quantity({
              description:
                'Memory that QEMU may use in addition to the memory of the guest. Defaults to 6 % of the guest memory (at least 512Mi), plus 256Mi, plus 8Mi for each virtual CPU.',
            }),
          ),
        },
        {
          minProperties: 1,
          description: 'Resources of QEMU itself, which are added to the limits of the process or pod.',
        },
      ),
    ),
  },
  {
    minProperties: 1,
    description: 'Size of the virtual machine. Immutable: replace the Machine to change it.',
  },
);

const checksum = string({
  pattern: '^(sha256:)?[0-9a-fA-F]{64}$',
  description:
    'SHA-256 checksum of the file at the URL, in hexadecimal, with or without the prefix sha256:. A file with another checksum is rejected. If not set, the file is not verified.',
});

export const image = object(
  {
    url: optional(
      string({
        minLength: 1,
        maxLength: 2048,
        description:
          'URL of the disk image (https, http or file), or an absolute path on the host. Cannot be combined with imageRef.',
      }),
    ),
    checksum: optional(checksum),
    format: optional(
      enumeration(['qcow2', 'raw', 'vmdk'], {
        description: 'Format of the disk image, for information only: the format is detected from the file.',
      }),
    ),
    name: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description: 'Name of an image in the image store of the host, as created by `slipway image build`.',
      }),
    ),
    version: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description:
          'Flatcar version to download, or current for the latest one of the channel. Required with channel.',
      }),
    ),
    channel: optional(
      enumeration(['stable', 'beta', 'alpha', 'lts'], {
        description: 'Flatcar release channel to download the image from, unless url is set.',
      }),
    ),
  },
  {
    description:
      'Operating system image of the machine, by url, by name, or by Flatcar channel and version. Immutable: replace the Machine to change it.',
    minProperties: 1,
  },
);

const bootFile = object({
  url: string({
    minLength: 1,
    maxLength: 2048,
    description: 'URL of the file (https, http or file), or an absolute path on the host.',
  }),
  checksum: optional(checksum),
});

const kernel = object(
  {
    image: refine(bootFile, { description: 'Kernel image.' }),
    initrd: optional(
      refine(bootFile, {
        description: 'Initial RAM disk (initrd). If not set, the kernel boots without an initial RAM disk.',
      }),
    ),
    commandLine: optional(
      string({
        maxLength: 2048,
        description:
          'Kernel command line. Defaults to the one of the named image, otherwise to console=ttyS0 root=/dev/disk/by-id/virtio-rootfs rw.',
      }),
    ),
  },
  {
    description:
      'Files that QEMU loads with bootMode kernel. Required with that mode unless the image is named and comes with a kernel. Immutable.',
  },
);

export const etcd = object(
  {
    storage: optional(
      enumeration(['HostPath', 'PersistentVolume', 'Disk', 'none'], {
        description:
          'Storage of /var/lib/etcd: HostPath for a directory of the host, PersistentVolume for a claim (backend pod), Disk for a separate virtual disk, none for the root disk. Defaults to none.',
      }),
    ),
    hostPath: optional(
      string({
        pattern: '^/',
        maxLength: 4096,
        description: 'Directory of the host. Required with storage HostPath. Each machine uses its own subdirectory.',
      }),
    ),
    storageClassName: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description:
          'StorageClass of the claim with storage PersistentVolume. If not set, the default StorageClass of the cluster applies.',
      }),
    ),
    size: optional(
      quantity({ description: 'Size of the claim or disk with storage PersistentVolume or Disk. Defaults to 15Gi.' }),
    ),
  },
  {
    description: 'Storage of the etcd data of a control plane machine. Immutable.',
    minProperties: 1,
  },
);

export const hostVolumes = mapList(
  object({
    mountTag: string({
      minLength: 1,
      maxLength: 31,
      pattern: '^[A-Za-z0-9_.-]+$',
      description:
        '9p mount tag by which the guest finds the directory. Unique in the machine; with etcd storage HostPath, the tag etcdshare is reserved.',
    }),
    hostPath: string({
      pattern: '^/',
      maxLength: 4096,
      description: 'Directory of the host, or of the Kubernetes node with backend pod. It must not contain "..".',
    }),
    mountPath: optional(
      string({
        pattern: '^/',
        maxLength: 4096,
        description: 'Path in the guest at which the directory is mounted. Defaults to /mnt/<mountTag>.',
      }),
    ),
    readOnly: optional(boolean({ description: 'Whether the guest may only read the directory. Defaults to false.' })),
  }),
  ['mountTag'],
  {
    description:
      'Directories of the host that are shared with the guest over 9p. The kernel of the guest needs 9p support. Immutable.',
    maxItems: 32,
  },
);

/** Fields of the virtual hardware. */
export const hardware = {
  resources: optional(resources),
  resourceRequirements: optional(
    refine(resources, {
      description:
        'Deprecated name of resources. Its values are moved to resources when the object is stored; values of resources take precedence.',
    }),
  ),
  bootMode: optional(
    enumeration(['disk', 'kernel'], {
      description:
        'How the machine boots: disk for the boot loader of the image, kernel if QEMU loads the kernel itself. Defaults to kernel for named images that come with a kernel, otherwise to disk. Immutable.',
    }),
  ),
  kernel: optional(kernel),
  firmware: optional(
    enumeration(['bios', 'uefi'], {
      description:
        'Firmware of the virtual machine. uefi needs OVMF on the host and cannot be combined with bootMode kernel. Defaults to bios. Immutable.',
    }),
  ),
  cpuModel: optional(
    string({
      pattern: '^[A-Za-z0-9_.+=,-]+$',
      maxLength: 253,
      description:
        'QEMU CPU model, with optional feature flags. Defaults to host with accelerator kvm and to max with tcg. Immutable.',
    }),
  ),
  machineType: optional(
    string({
      pattern: '^[A-Za-z0-9_.-]+$',
      maxLength: 63,
      description:
        'QEMU machine type. A versioned type such as pc-q35-7.2 keeps the hardware stable across QEMU upgrades. Defaults to q35. Immutable.',
    }),
  ),
  accelerator: optional(
    enumeration(['auto', 'kvm', 'tcg'], {
      description:
        'Accelerator: kvm for hardware virtualization, tcg for software emulation, auto for kvm if a test VM runs with it, otherwise tcg. Defaults to auto. Immutable.',
    }),
  ),
} as const;
