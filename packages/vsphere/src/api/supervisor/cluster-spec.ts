import { boolean, enumeration, int32, object, optional, string } from '@slipway/kube/kit';
import { controlPlaneEndpoint, labelSelector } from '@slipway/cluster-api/schemas';

const description = 'Where the cluster is reached, and how its machines are connected and spread.';

/** Who connects the machines of a Supervisor. */
export const networkProviders = ['VSphereDistributed', 'NSXTier1', 'VPC'] as const;

const failureDomains = object(
  {
    controlPlane: optional(object({ selector: optional(labelSelector) }, { minProperties: 1 })),
  },
  { minProperties: 1 },
);

const network = object(
  {
    nsxVPC: optional(
      object(
        {
          createSubnetSet: optional(
            boolean({ description: 'Whether a SubnetSet is made for the cluster. Absent: true.' }),
          ),
        },
        {
          minProperties: 1,
          rules: [
            {
              rule: 'has(self.createSubnetSet) == has(oldSelf.createSubnetSet) && self.createSubnetSet == oldSelf.createSubnetSet',
              message: 'createSubnetSet cannot be changed',
            },
          ],
        },
      ),
    ),
    provider: optional(enumeration(networkProviders)),
  },
  {
    minProperties: 1,
    rules: [
      { rule: 'has(self.nsxVPC) == has(oldSelf.nsxVPC)', message: 'nsxVPC can neither be added nor removed' },
      {
        rule: '!has(oldSelf.provider) || self.provider == oldSelf.provider',
        message: 'provider cannot be changed once set',
      },
    ],
  },
);

const keepNetwork = {
  rule: '!has(oldSelf.network) || has(self.network)',
  message: 'network cannot be removed once set',
} as const;

export const supervisorClusterSpec = object(
  {
    controlPlaneEndpoint: optional(controlPlaneEndpoint),
    failureDomains: optional(failureDomains),
    network: optional(network),
  },
  { description, minProperties: 1, rules: [keepNetwork] },
);

export const supervisorClusterSpecV1Beta1 = object(
  {
    controlPlaneEndpoint: optional(object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) })),
    failureDomains: optional(failureDomains),
    network: optional(network),
  },
  { description, rules: [keepNetwork] },
);
