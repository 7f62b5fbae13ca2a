import {
  atomicList,
  enumeration,
  int32,
  int64,
  list,
  map,
  mapList,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { etcd, hardware, hostVolumes, image } from './machine-hardware.js';
import { backend, ipAddresses, timeServers } from './shared.js';

const portForward = object({
  guestPort: int32({ minimum: 1, maximum: 65535, description: 'TCP port of the guest.' }),
  hostPort: optional(
    int32({
      minimum: 1,
      maximum: 65535,
      description: 'TCP port on 127.0.0.1 of the host. Defaults to a free port, which status.vm.portForwards reports.',
    }),
  ),
});

const network = object(
  {
    macAddress: optional(
      string({
        pattern: '^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$',
        description:
          'MAC address of the interface that other machines of the cluster reach. Defaults to an address that is derived from the machine.',
      }),
    ),
    ipAddresses: optional(
      atomicList(string({ minLength: 2, maxLength: 49 }), {
        description:
          'IP addresses of the machine with their prefix lengths, such as 172.30.0.11/24. Allocated from the pool of the cluster if absent.',
        maxItems: 4,
      }),
    ),
    gateway: optional(
      string({
        minLength: 2,
        maxLength: 45,
        description: 'IP address of the default gateway. Defaults to network.gateway of the KVMCluster.',
      }),
    ),
    nameservers: optional(
      ipAddresses(
        'IP addresses of the DNS servers of this machine. Defaults to dnsServers, then to those of the KVMCluster.',
      ),
    ),
    portForwards: optional(
      mapList(portForward, ['guestPort'], {
        description:
          'TCP ports of 127.0.0.1 of the host that are forwarded to the guest. Used with backend local and network modes user and segment.',
        maxItems: 32,
      }),
    ),
  },
  {
    description:
      'Network identity of the machine. The controller allocates absent values and stores them here, so that they survive a move to another management cluster. Values cannot be changed once set.',
    minProperties: 1,
  },
);

const tolerations = list(
  object({
    key: optional(string({ description: 'Taint key to tolerate. Empty with operator Exists tolerates every key.' })),
    operator: optional(
      enumeration(['Exists', 'Equal'], {
        description: 'How key and value are compared with the taint. Defaults to Equal.',
      }),
    ),
    value: optional(string({ description: 'Taint value to tolerate with operator Equal.' })),
    effect: optional(
      enumeration(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
        description: 'Taint effect to tolerate. If not set, every effect is tolerated.',
      }),
    ),
    tolerationSeconds: optional(
      int64({
        description: 'Seconds for which a NoExecute taint is tolerated. If not set, the taint is tolerated forever.',
      }),
    ),
  }),
  { maxItems: 64, description: 'Tolerations of the pod. Used with backend pod. Immutable.' },
);

const placement = {
  backend: optional(
    refine(backend, {
      description:
        'Backend that runs this machine: local for a QEMU process of the host that the manager runs on, pod for a pod. The controller sets the backend of the KVMCluster if it is absent. Cannot be changed once set.',
    }),
  ),
  hostName: optional(
    string({
      minLength: 1,
      maxLength: 253,
      description:
        'Host that runs the machine. With backend local, the controller sets the host name on which the machine was created; with backend pod, it selects a node by its kubernetes.io/hostname label. Cannot be changed once set.',
    }),
  ),
  nodeSelector: optional(
    map(string(), {
      description:
        'Labels of the Kubernetes nodes that the pod may run on, in addition to those of the failure domain. Used with backend pod. Immutable.',
    }),
  ),
  tolerations: optional(tolerations),
  failureDomain: optional(
    string({
      minLength: 1,
      maxLength: 256,
      description:
        'Failure domain of the machine, from status.failureDomains of the KVMCluster. Defaults to spec.failureDomain of the Machine. Cannot be changed once set.',
    }),
  ),
  diskStorageClassName: optional(
    string({
      minLength: 1,
      maxLength: 253,
      description:
        'StorageClass of a PersistentVolumeClaim for the disks. The claim keeps the disks if the pod is deleted. If not set, the disks are deleted with the pod and a lost machine must be replaced. Used with backend pod. Immutable.',
    }),
  ),
} as const;

export const kvmMachineSpec = object(
  {
    providerID: optional(
      string({
        pattern: '^kvm://[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
        description:
          'Provider ID of the machine and of its Node: kvm://<UUID>. The controller generates it before it creates the virtual machine. Cannot be changed once set.',
      }),
    ),
    ...hardware,
    ...placement,
    image: optional(image),
    imageRef: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description:
          'Image in the image store of the host, by name or as sha256:<checksum>. It takes precedence over image.name and cannot be combined with image.url. Immutable.',
      }),
    ),
    etcd: optional(etcd),
    hostVolumes: optional(hostVolumes),
    network: optional(network),
    iscsi: optional(
      object(
        {
          initiatorName: optional(
            string({
              minLength: 1,
              maxLength: 223,
              description:
                'iSCSI qualified name of the machine. Defaults to iqn.2016-04.com.coreos.iscsi:<cluster>-<UUID>.',
            }),
          ),
        },
        {
          minProperties: 1,
          description:
            'iSCSI identity of the machine. The controller stores a generated name here; it cannot be changed once set.',
        },
      ),
    ),
    ntpServers: optional(
      refine(timeServers, {
        description:
          'NTP servers of this machine, as host names or IP addresses. Defaults to ntpServers of the KVMCluster. Immutable.',
      }),
    ),
    dnsServers: optional(
      ipAddresses('IP addresses of the DNS servers of this machine. Defaults to those of the KVMCluster. Immutable.'),
    ),
    shutdown: optional(
      object(
        {
          gracePeriodSeconds: optional(
            int32({
              minimum: 0,
              maximum: 86400,
              description:
                'Seconds that the guest has to shut down after an ACPI power-button event before the QEMU process is killed. Defaults to 90.',
            }),
          ),
        },
        {
          minProperties: 1,
          description:
            'How the machine is stopped when it is deleted. The only field that may be changed at any time; with backend pod a change has no effect on an existing pod.',
        },
      ),
    ),
  },
  {
    description:
      'Desired state of the machine. Most fields cannot be changed: replace the Machine, or roll out a new template, instead.',
  },
);
