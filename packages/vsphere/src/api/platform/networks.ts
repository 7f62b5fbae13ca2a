import { defineKind, list, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { conditions } from '@slipway/cluster-api/schemas';

const readiness = optional(
  object(
    { conditions: optional(conditions) },
    { preserveUnknownFields: true, description: 'Observed state of the network.' },
  ),
);

/** A network of a vSphere Distributed Switch. */
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
      schema: {
        spec: optional(
          object(
            {},
            { preserveUnknownFields: true, description: 'Defined by the Supervisor. The provider does not read it.' },
          ),
        ),
        status: readiness,
      },
      subresources: { status: true },
    },
  ],
});

/** A network behind an NSX Tier-1 gateway. */
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
      description: 'An NSX network for the virtual machines of one cluster.',
      schema: {
        spec: optional(
          object(
            {
              whitelistSourceRanges: optional(
                string({ description: 'Source networks that may connect, in CIDR notation, separated by commas.' }),
              ),
            },
            { preserveUnknownFields: true, description: 'Desired state of the network.' },
          ),
        ),
        status: readiness,
      },
      subresources: { status: true },
    },
  ],
});

/** Subnets of an NSX virtual private cloud (VPC). */
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
      description: 'Subnets of an NSX VPC for the virtual machines of one cluster.',
      schema: {
        spec: optional(
          object(
            {
              ipAddressType: optional(
                string({ description: 'IP families of the subnets: IPv4, IPv6 or IPv4IPv6. If not set, NSX decides.' }),
              ),
              ipAddresses: optional(list(string(), { description: 'Networks of the subnets in CIDR notation.' })),
            },
            { preserveUnknownFields: true, description: 'Desired state of the subnets.' },
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
