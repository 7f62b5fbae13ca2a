import { defineKind, list, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { conditions } from '@slipway/cluster-api/schemas';

const readiness = optional(object({ conditions: optional(conditions) }, { preserveUnknownFields: true }));

/** A network of a distributed switch. */
export const distributedNetwork = defineKind({
  group: 'netoperator.vmware.com',
  kind: 'Network',
  plural: 'networks',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'A network that virtual machines of a Supervisor can be connected to.',
      schema: { spec: optional(object({}, { preserveUnknownFields: true })), status: readiness },
      subresources: { status: true },
    },
  ],
});

/** A network behind a Tier-1 gateway of NSX. */
export const virtualNetwork = defineKind({
  group: 'vmware.com',
  kind: 'VirtualNetwork',
  plural: 'virtualnetworks',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'A network of NSX for the machines of one cluster.',
      schema: {
        spec: optional(object({ whitelistSourceRanges: optional(string()) }, { preserveUnknownFields: true })),
        status: readiness,
      },
      subresources: { status: true },
    },
  ],
});

/** Subnets of a virtual private cloud of NSX. */
export const subnetSet = defineKind({
  group: 'crd.nsx.vmware.com',
  kind: 'SubnetSet',
  plural: 'subnetsets',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Subnets for the machines of one cluster.',
      schema: {
        spec: optional(
          object(
            { ipAddressType: optional(string()), ipAddresses: optional(list(string())) },
            { preserveUnknownFields: true },
          ),
        ),
        status: readiness,
      },
      subresources: { status: true },
    },
  ],
});

export type DistributedNetwork = ObjectOf<typeof distributedNetwork>;
export type VirtualNetwork = ObjectOf<typeof virtualNetwork>;
export type SubnetSet = ObjectOf<typeof subnetSet>;
