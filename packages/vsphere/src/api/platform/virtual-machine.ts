import {
  atomicList,
  boolean,
  dateTime,
  defineKind,
  enumeration,
  int32,
  int64,
  intOrString,
  list,
  mapList,
  object,
  type ObjectOf,
  optional,
  string,
} from '@slipway/kube/kit';
import { conditions, labelSelector } from '@slipway/cluster-api/schemas';
import {
  addressStatusDescriptions,
  dhcpFamilyDescriptions,
  dhcpOptionDescriptions,
  dhcpStatusDescriptions,
  dnsStatusDescriptions,
  interfaceStatusDescriptions,
  ipStatusDescriptions,
} from '../shared/interface-status-descriptions.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

const affinityTerms = optional(
  atomicList(
    object({
      labelSelector: optional(labelSelector),
      topologyKey: string({ description: 'Label of the topology domain, such as topology.kubernetes.io/zone.' }),
    }),
  ),
);

const affinity = object(
  withDescriptions(
    {
      preferredDuringSchedulingPreferredDuringExecution: affinityTerms,
      requiredDuringSchedulingPreferredDuringExecution: affinityTerms,
    },
    {
      preferredDuringSchedulingPreferredDuringExecution: 'Terms that placement follows if possible.',
      requiredDuringSchedulingPreferredDuringExecution:
        'Terms that the initial placement must follow. Later placements follow them if possible.',
    },
  ),
);

const interfaceSpec = object(
  withDescriptions(
    {
      gateway4: optional(string()),
      gateway6: optional(string()),
      ipamModes: optional(list(string())),
      mtu: optional(int64()),
      name: string(),
      network: optional(
        object({
          apiVersion: optional(string({ description: 'API version of the network.' })),
          kind: optional(string({ description: 'Kind of the network.' })),
          name: string({ description: 'Name of the network.' }),
        }),
      ),
      routes: optional(
        list(
          object({
            metric: optional(int32({ description: 'Metric of the route. Routes with lower metrics are preferred.' })),
            to: string({ description: 'Destination of the route in CIDR notation.' }),
            via: string({ description: 'IP address of the gateway.' }),
          }),
        ),
      ),
    },
    {
      gateway4: 'Default gateway for IPv4, or None for no default gateway.',
      gateway6: 'Default gateway for IPv6, or None for no default gateway.',
      ipamModes: 'How the interface gets its IP addresses, for each IP family.',
      mtu: 'Maximum transmission unit in bytes.',
      name: 'Name of the interface, unique within the virtual machine.',
      network: 'Network that the interface is connected to.',
      routes: 'Static routes of the interface.',
    },
  ),
  { preserveUnknownFields: true },
);

const networkSpec = object(
  {
    interfaces: optional(mapList(interfaceSpec, ['name'], { description: 'Network interfaces.' })),
    vlans: optional(
      mapList(
        object({
          id: int64({ description: 'VLAN ID.' }),
          link: string({ description: 'Name of the interface that carries the VLAN.' }),
          name: string({ description: 'Name of the VLAN interface.' }),
        }),
        ['name'],
        { description: 'VLAN interfaces on top of network interfaces.' },
      ),
    ),
  },
  { preserveUnknownFields: true, description: 'Network of the virtual machine.' },
);

const dhcpFamily = optional(
  object(
    withDescriptions(
      {
        config: optional(
          list(object(withDescriptions({ key: string(), value: optional(string()) }, dhcpOptionDescriptions))),
        ),
        enabled: optional(boolean()),
      },
      dhcpFamilyDescriptions,
    ),
  ),
);

const addressStates = [
  'deprecated',
  'duplicate',
  'inaccessible',
  'invalid',
  'preferred',
  'tentative',
  'unknown',
] as const;

const addressStatus = object(
  withDescriptions(
    {
      address: optional(string()),
      lifetime: optional(dateTime()),
      origin: optional(enumeration(['dhcp', 'linklayer', 'manual', 'other', 'random'])),
      state: optional(enumeration(addressStates)),
    },
    addressStatusDescriptions,
  ),
);

const dnsStatus = object(
  withDescriptions(
    {
      dhcp: optional(boolean()),
      domainName: optional(string()),
      hostName: optional(string()),
      nameservers: optional(list(string())),
      searchDomains: optional(list(string())),
    },
    dnsStatusDescriptions,
  ),
);

const ipStatus = object(
  withDescriptions(
    {
      addresses: optional(list(addressStatus)),
      autoConfigurationEnabled: optional(boolean()),
      dhcp: optional(object(withDescriptions({ ip4: dhcpFamily, ip6: dhcpFamily }, dhcpStatusDescriptions))),
      macAddr: optional(string()),
    },
    ipStatusDescriptions,
  ),
);

const interfaceStatus = object(
  withDescriptions(
    {
      deviceKey: optional(int32()),
      dns: optional(dnsStatus),
      ip: optional(ipStatus),
      name: optional(string()),
    },
    interfaceStatusDescriptions,
  ),
  { preserveUnknownFields: true },
);

const powerStates = ['PoweredOff', 'PoweredOn', 'Suspended'] as const;

const bootstrap = object(
  {
    cloudInit: optional(
      object(
        {
          rawCloudConfig: optional(
            object(
              {
                key: string({ description: 'Key of the cloud-config in the Secret.' }),
                name: string({ description: 'Name of the Secret.' }),
              },
              { description: 'Secret with the cloud-config, in the namespace of the virtual machine.' },
            ),
          ),
        },
        { preserveUnknownFields: true, description: 'Bootstrap by cloud-init.' },
      ),
    ),
  },
  { preserveUnknownFields: true },
);

const readinessProbe = object(
  {
    tcpSocket: optional(
      object(
        { port: intOrString({ description: 'Port that must accept TCP connections.' }) },
        { preserveUnknownFields: true, description: 'Probe by a TCP connection.' },
      ),
    ),
  },
  { preserveUnknownFields: true },
);

const policies = list(
  object({
    apiVersion: string({ description: 'API version of the policy.' }),
    kind: string({ description: 'Kind of the policy.' }),
    name: string({ description: 'Name of the policy.' }),
  }),
);

const volumes = mapList(
  object(
    {
      name: string({ description: 'Name of the volume.' }),
      persistentVolumeClaim: optional(
        object(
          { claimName: string({ description: 'Name of the PersistentVolumeClaim.' }) },
          { preserveUnknownFields: true, description: 'Claim of the volume, in the namespace of the virtual machine.' },
        ),
      ),
    },
    { preserveUnknownFields: true },
  ),
  ['name'],
);

const spec = object(
  withDescriptions(
    {
      affinity: optional(
        object(
          withDescriptions(
            { vmAffinity: optional(affinity), vmAntiAffinity: optional(affinity) },
            {
              vmAffinity: 'Virtual machines that this one is placed with.',
              vmAntiAffinity: 'Virtual machines that this one is kept apart from.',
            },
          ),
        ),
      ),
      bootstrap: optional(bootstrap),
      className: optional(string()),
      groupName: optional(string()),
      imageName: optional(string()),
      minHardwareVersion: optional(int32()),
      network: optional(networkSpec),
      policies: optional(policies),
      powerOffMode: optional(enumeration(['Hard', 'Soft', 'TrySoft'])),
      powerState: optional(enumeration(powerStates)),
      readinessProbe: optional(readinessProbe),
      reserved: optional(
        object({
          resourcePolicyName: optional(string({ description: 'Name of the VirtualMachineSetResourcePolicy.' })),
        }),
      ),
      storageClass: optional(string()),
      volumes: optional(volumes),
    },
    {
      affinity: 'Where the virtual machine is placed relative to others.',
      bootstrap: 'How the guest is initialized at its first boot.',
      className: 'Name of the VirtualMachineClass.',
      groupName: 'Name of the VirtualMachineGroup that the virtual machine is a member of.',
      imageName: 'Name of the image that the virtual machine is created from.',
      minHardwareVersion: 'Minimum virtual hardware version, as a number such as 19.',
      network: 'Network interfaces of the virtual machine.',
      policies: 'Policies that apply to the virtual machine.',
      powerOffMode:
        'How the virtual machine is powered off. Hard powers it off immediately. Soft shuts the guest down. TrySoft shuts the guest down and powers it off after five minutes.',
      powerState: 'Desired power state.',
      readinessProbe: 'Probe that determines whether the virtual machine is ready to receive traffic.',
      reserved: 'Settings for controllers; not for users.',
      storageClass: 'Name of the StorageClass for the disks of the image.',
      volumes: 'Volumes that are attached to the virtual machine.',
    },
  ),
  { preserveUnknownFields: true, description: 'Desired state of the virtual machine.' },
);

const networkStatus = object(
  {
    interfaces: optional(list(interfaceStatus, { description: 'Network interfaces of the guest.' })),
    primaryIP4: optional(string({ description: 'Primary IPv4 address.' })),
    primaryIP6: optional(string({ description: 'Primary IPv6 address.' })),
  },
  { preserveUnknownFields: true, description: 'Network of the guest.' },
);

const status = object(
  {
    biosUUID: optional(string({ description: 'BIOS UUID of the virtual machine.' })),
    conditions: optional(conditions),
    host: optional(string({ description: 'Name of the ESXi host in v1alpha2. Later versions call it nodeName.' })),
    instanceUUID: optional(string({ description: 'Instance UUID of the virtual machine in vCenter.' })),
    network: optional(networkStatus),
    nodeName: optional(string({ description: 'Name of the ESXi host that the virtual machine runs on.' })),
    powerState: optional(enumeration(powerStates, { description: 'Observed power state.' })),
    uniqueID: optional(string({ description: 'Managed object ID of the virtual machine in vCenter.' })),
    zone: optional(string({ description: 'Zone that the virtual machine was placed in.' })),
  },
  { preserveUnknownFields: true, description: 'Observed state of the virtual machine.' },
);

export const virtualMachine = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  shortNames: ['vm'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'A virtual machine of a Supervisor, managed by VM Operator.',
    schema: { spec: optional(spec), status: optional(status) },
    columns: [
      { name: 'Power-State', type: 'string', jsonPath: '.status.powerState' },
      { name: 'Class', type: 'string', jsonPath: '.spec.className', priority: 1 },
      { name: 'Image', type: 'string', jsonPath: '.spec.imageName', priority: 1 },
      { name: 'Primary-IP4', type: 'string', jsonPath: '.status.network.primaryIP4', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  }),
});

export type VirtualMachine = ObjectOf<typeof virtualMachine>;
