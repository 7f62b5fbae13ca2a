import {
  atomicList,
  enumeration,
  type Fields,
  int32,
  list,
  map,
  object,
  optional,
  quantity,
  refine,
  string,
} from '@slipway/kube/kit';
import { kindPattern, subdomainPattern, templateReference } from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import {
  failureDomainV1Beta1Description,
  namingDescription,
  namingDescriptions,
  providerIdDescription,
} from '../vcenter/clone-descriptions.js';
import { powerOffModes } from '../vcenter/clone-spec.js';

const description =
  'Desired state of the virtual machine. The controller creates a VirtualMachine of VM Operator from it.';
const interfaceNamePattern = '^[a-z0-9]{2,}$';

const routes = atomicList(
  object({
    to: string({
      pattern: '^([0-9]{1,3}\\.){3}[0-9]{1,3}\\/[0-9]{1,2}$',
      minLength: 9,
      maxLength: 18,
      description: 'Destination of the route: an IPv4 network in CIDR notation.',
    }),
    via: string({
      pattern: '^([0-9]{1,3}\\.){3}[0-9]{1,3}$',
      minLength: 7,
      maxLength: 15,
      description: 'IPv4 address of the gateway.',
    }),
  }),
  { minItems: 1, maxItems: 100, description: 'Static routes of the interface.' },
);

const interfaceSettings = {
  mtu: optional(
    int32({
      minimum: 576,
      maximum: 9000,
      description: 'Maximum transmission unit in bytes. If not set, VM Operator decides.',
    }),
  ),
  routes: optional(routes),
} as const;

const interfaceName = (description: string) =>
  string({ pattern: interfaceNamePattern, minLength: 2, maxLength: 15, description });

const networkReferenceDescription =
  'Network that the interface is connected to: a SubnetSet or, for a secondary interface, a Subnet with the network provider VPC; a Network with VSphereDistributed.';

const vlans = atomicList(
  object({
    id: int32({ minimum: 0, maximum: 4094, description: 'VLAN ID. Must be unique within the interface.' }),
    link: interfaceName('Name of the secondary interface that carries the VLAN.'),
    name: string({
      pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]*$',
      minLength: 1,
      maxLength: 15,
      description: 'Name of the VLAN interface in the guest. Must be unique.',
    }),
  }),
  {
    minItems: 1,
    maxItems: 100,
    description:
      'VLAN interfaces on top of secondary interfaces. Requires the feature gate VLANSubinterface and the network provider VPC.',
  },
);

/** Returns the schema of a machine's network. The field that refers to a network has another name in each version. */
function networkOf<const N extends Fields>(network: N) {
  return object(
    {
      interfaces: optional(
        object(
          {
            primary: optional(
              object(
                { ...interfaceSettings, ...network },
                {
                  description:
                    'Interface eth0. Must be set with the network provider VPC if createSubnetSet of the VSphereCluster is false, and must not be set otherwise.',
                },
              ),
            ),
            secondary: optional(
              atomicList(
                object({
                  ...interfaceSettings,
                  ...network,
                  name: interfaceName('Name of the interface in the guest. Must be unique, and cannot be eth0.'),
                }),
                {
                  minItems: 1,
                  maxItems: 9,
                  description: 'Further interfaces. Not supported by the network provider NSXTier1.',
                },
              ),
            ),
          },
          {
            minProperties: 1,
            description:
              'Network interfaces of the virtual machine. Requires the feature gate MultiNetworks. Immutable.',
          },
        ),
      ),
      vlans: optional(vlans),
    },
    { minProperties: 1, description: 'Network interfaces and VLANs of the virtual machine.' },
  );
}

const policies = atomicList(
  object({
    kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63, description: 'Kind of the policy.' }),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253, description: 'Name of the policy.' }),
  }),
  { minItems: 1, maxItems: 64 },
);

/** CEL rule for whole VSphereMachines that makes policies immutable: they apply only when the virtual machine is created. */
export const policiesUnchanged = {
  rule: 'has(self.spec.policies) == has(oldSelf.spec.policies) && (!has(self.spec.policies) || self.spec.policies == oldSelf.spec.policies)',
  message: 'spec.policies cannot be changed',
} as const;

const descriptions = {
  className:
    'Name of the VirtualMachineClass, which determines CPU and memory, in the namespace of this object. Immutable.',
  imageName:
    'Name of the VirtualMachineImage or ClusterVirtualMachineImage that the virtual machine is created from. Immutable.',
  minHardwareVersion: 'Minimum virtual hardware version, such as vmx-19. If not set, VM Operator decides. Immutable.',
  policies:
    'Policies that apply to the virtual machine, in its namespace. Requires the feature gate InfrastructurePolicies. Immutable.',
  powerOffMode:
    'How the virtual machine is powered off. hard powers it off immediately. soft shuts the guest down and waits without a limit. trySoft shuts the guest down and powers it off after five minutes. Defaults to hard. Can be changed.',
  storageClass:
    'Name of the StorageClass for the disks of the virtual machine, and for volumes that do not set their own. Immutable.',
  volumes:
    'Disks that are added to those of the image. A PersistentVolumeClaim named <VSphereMachine>-<volume> is created for each of them.',
} as const;

const volumeDescriptions = {
  capacity: 'Size of the volume, under the key storage.',
  name: 'Name of the volume, unique within the virtual machine.',
  storageClass: 'Name of the StorageClass of the volume. Defaults to the StorageClass of the VSphereMachine.',
} as const;

export const supervisorMachineSpec = object(
  {
    ...withDescriptions(
      {
        className: text(253),
        imageName: text(2048),
        minHardwareVersion: optional(text(32)),
        policies: optional(policies),
        powerOffMode: optional(enumeration(powerOffModes)),
        storageClass: optional(text(253)),
        volumes: optional(
          atomicList(
            object(
              withDescriptions(
                { capacity: map(quantity()), name: text(253), storageClass: optional(text(253)) },
                volumeDescriptions,
              ),
            ),
            { maxItems: 1024 },
          ),
        ),
      },
      descriptions,
    ),
    naming: optional(
      object(withDescriptions({ template: optional(text(1024)) }, namingDescriptions), {
        minProperties: 1,
        description: namingDescription,
      }),
    ),
    network: optional(
      networkOf({ networkRef: refine(templateReference, { description: networkReferenceDescription }) }),
    ),
    providerID: optional(text(512, providerIdDescription)),
  },
  { description },
);

export const supervisorMachineSpecV1Beta1 = object(
  {
    ...withDescriptions(
      {
        className: string(),
        imageName: string(),
        minHardwareVersion: optional(string()),
        policies: optional(policies),
        powerOffMode: optional(enumeration(powerOffModes, { default: 'hard' })),
        storageClass: optional(string()),
        volumes: optional(
          list(
            object(
              withDescriptions(
                { capacity: map(quantity()), name: string(), storageClass: optional(string()) },
                volumeDescriptions,
              ),
            ),
          ),
        ),
      },
      descriptions,
    ),
    failureDomain: optional(string({ description: failureDomainV1Beta1Description })),
    namingStrategy: optional(
      object(withDescriptions({ template: optional(string()) }, namingDescriptions), {
        description: namingDescription,
      }),
    ),
    network: optional(networkOf({ network: refine(templateReference, { description: networkReferenceDescription }) })),
    providerID: optional(string({ description: providerIdDescription })),
  },
  { description },
);
