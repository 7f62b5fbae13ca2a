import {
  atomicList,
  boolean,
  enumeration,
  int32,
  int64,
  list,
  map,
  mapList,
  object,
  optional,
  quantity,
  string,
} from '@slipway/kube/kit';
import { backend, ipAddresses, timeServers } from './shared.js';

const resources = object(
  {
    cpu: optional(quantity({ description: 'Virtual CPUs, rounded up; a fraction becomes a quota. Absent: 2.' })),
    memory: optional(quantity({ description: 'Memory of the guest. Absent: 4Gi.' })),
    disk: optional(quantity({ description: 'Size of the root disk, at least that of the image. Absent: 20Gi.' })),
    dockerVolumeSize: optional(quantity({ description: 'A disk for the container runtime. Absent or 0: none.' })),
    dockerVolumePath: optional(
      string({
        pattern: '^/[^:]*$',
        maxLength: 255,
        description: 'Where that disk is mounted. Absent: /var/lib/containerd.',
      }),
    ),
    kubeletVolumeSize: optional(quantity({ description: 'A disk for /var/lib/kubelet. Absent or 0: none.' })),
    overhead: optional(
      object(
        { memory: optional(quantity({ description: 'What QEMU needs itself. Absent: computed from the size.' })) },
        { minProperties: 1 },
      ),
    ),
  },
  { minProperties: 1 },
);

const checksum = string({
  pattern: '^(sha256:)?[0-9a-fA-F]{64}$',
  description: 'SHA-256 of the file at the URL.',
});

const image = object(
  {
    url: optional(string({ minLength: 1, maxLength: 2048, description: 'https, http, file, or a path of the host.' })),
    checksum: optional(checksum),
    format: optional(enumeration(['qcow2', 'raw', 'vmdk'])),
    name: optional(string({ minLength: 1, maxLength: 253, description: 'One that `slipway image build` made.' })),
    version: optional(string({ minLength: 1, maxLength: 253 })),
    channel: optional(enumeration(['stable', 'beta', 'alpha', 'lts'], { description: 'Of Flatcar, with a version.' })),
  },
  { description: 'The operating system.', minProperties: 1 },
);

const bootFile = object({
  url: string({ minLength: 1, maxLength: 2048 }),
  checksum: optional(checksum),
});

const network = object(
  {
    macAddress: optional(string({ pattern: '^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$' })),
    ipAddresses: optional(
      atomicList(string({ minLength: 2, maxLength: 49 }), {
        description: 'With their prefix lengths: 172.30.0.11/24.',
        maxItems: 4,
      }),
    ),
    gateway: optional(string({ minLength: 2, maxLength: 45 })),
    nameservers: optional(ipAddresses('Name servers of this machine.')),
    portForwards: optional(
      mapList(
        object({
          guestPort: int32({ minimum: 1, maximum: 65535 }),
          hostPort: optional(int32({ minimum: 1, maximum: 65535, description: 'Absent: one that is free.' })),
        }),
        ['guestPort'],
        {
          description: "Modes user and segment: ports of this host's loopback that lead into the machine.",
          maxItems: 32,
        },
      ),
    ),
  },
  {
    description:
      'What is absent is allocated and written here, since a move to another management cluster drops the status.',
    minProperties: 1,
  },
);

const etcd = object(
  {
    storage: optional(enumeration(['HostPath', 'PersistentVolume', 'Disk', 'none'])),
    hostPath: optional(string({ pattern: '^/', maxLength: 4096 })),
    storageClassName: optional(string({ minLength: 1, maxLength: 253 })),
    size: optional(quantity({ description: 'Absent: 15Gi.' })),
  },
  { description: 'Where the etcd of a control-plane machine keeps its data.', minProperties: 1 },
);

const tolerations = list(
  object({
    key: optional(string()),
    operator: optional(enumeration(['Exists', 'Equal'])),
    value: optional(string()),
    effect: optional(enumeration(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
    tolerationSeconds: optional(int64()),
  }),
  { maxItems: 64 },
);

const hostVolumes = mapList(
  object({
    mountTag: string({ minLength: 1, maxLength: 31, pattern: '^[A-Za-z0-9_.-]+$' }),
    hostPath: string({ pattern: '^/', maxLength: 4096 }),
    mountPath: optional(string({ pattern: '^/', maxLength: 4096, description: 'Absent: /mnt/<mountTag>.' })),
    readOnly: optional(boolean()),
  }),
  ['mountTag'],
  { description: 'Folders of the host, shared with the machine.', maxItems: 32 },
);

const placement = {
  backend: optional(backend),
  hostName: optional(string({ minLength: 1, maxLength: 253 })),
  nodeSelector: optional(map(string())),
  tolerations: optional(tolerations),
  failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
  diskStorageClassName: optional(
    string({
      minLength: 1,
      maxLength: 253,
      description: 'Pods: the disks are claims of this class and outlive the pod. Absent: they go with it.',
    }),
  ),
} as const;

const hardware = {
  resources: optional(resources),
  resourceRequirements: optional(resources),
  bootMode: optional(
    enumeration(['disk', 'kernel'], { description: 'kernel: QEMU loads the kernel itself. Absent: disk.' }),
  ),
  kernel: optional(
    object(
      { image: bootFile, initrd: optional(bootFile), commandLine: optional(string({ maxLength: 2048 })) },
      { description: 'What is loaded in boot mode kernel.' },
    ),
  ),
  firmware: optional(enumeration(['bios', 'uefi'], { description: 'Absent: bios.' })),
  cpuModel: optional(string({ pattern: '^[A-Za-z0-9_.+=,-]+$', maxLength: 253, description: 'Absent: host, or max.' })),
  machineType: optional(string({ pattern: '^[A-Za-z0-9_.-]+$', maxLength: 63, description: 'Absent: q35.' })),
  accelerator: optional(
    enumeration(['auto', 'kvm', 'tcg'], {
      description: 'auto, or absent: KVM if a guest really runs on it, else TCG.',
    }),
  ),
} as const;

export const kvmMachineSpec = object(
  {
    providerID: optional(
      string({
        pattern: '^kvm://[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
        description: 'Names the virtual machine, before it is made: whoever has this object finds it again.',
      }),
    ),
    ...hardware,
    ...placement,
    image: optional(image),
    imageRef: optional(
      string({ minLength: 1, maxLength: 253, description: 'An image of the store, by name or as sha256:<hex>.' }),
    ),
    etcd: optional(etcd),
    hostVolumes: optional(hostVolumes),
    network: optional(network),
    iscsi: optional(
      object({ initiatorName: optional(string({ minLength: 1, maxLength: 223 })) }, { minProperties: 1 }),
    ),
    ntpServers: optional(timeServers),
    dnsServers: optional(ipAddresses('Name servers of this machine, instead of those of the cluster.')),
    shutdown: optional(
      object({ gracePeriodSeconds: optional(int32({ minimum: 0, maximum: 86400 })) }, { minProperties: 1 }),
    ),
  },
  { description: 'What the machine should be.' },
);
