import { boolean, enumeration, int32, object, optional, refine, string } from '@slipway/kube/kit';
import { controlPlaneEndpoint, labelSelector } from '@slipway/cluster-api/schemas';
import { withDescriptions } from '../shared/with-descriptions.js';

const description =
  'Desired state of the cluster: its network, its failure domains and the endpoint of the control plane.';

const descriptions = {
  controlPlaneEndpoint:
    'Host and port of the API server of the workload cluster. If the user does not set it, the controller sets it: to the address of the load balancer or, without a load balancer, to that of the first control plane machine.',
  failureDomains: 'Which zones of the Supervisor the cluster uses.',
  network: 'How the machines of the cluster are connected. Cannot be removed once set.',
} as const;

/** The network providers of a Supervisor. */
export const networkProviders = ['VSphereDistributed', 'NSXTier1', 'VPC'] as const;

const failureDomains = object(
  {
    controlPlane: optional(
      object(
        {
          selector: optional(
            refine(labelSelector, {
              description:
                'Selects Zones in the namespace of the cluster by their labels. Must not be empty. If not set, control plane machines may use all zones. Requires the feature gate NamespaceScopedZones.',
            }),
          ),
        },
        { minProperties: 1, description: 'Which zones control plane machines are placed in.' },
      ),
    ),
  },
  { minProperties: 1 },
);

const network = object(
  {
    nsxVPC: optional(
      object(
        {
          createSubnetSet: optional(
            boolean({
              description:
                'Create a SubnetSet for the cluster. Defaults to true. If false, every VSphereMachine must name the network of its primary interface. Immutable.',
            }),
          ),
        },
        {
          minProperties: 1,
          description:
            'Settings for the network provider VPC. Requires the feature gate MultiNetworks. Can be neither added nor removed after the network is set.',
          rules: [
            {
              rule: 'has(self.createSubnetSet) == has(oldSelf.createSubnetSet) && self.createSubnetSet == oldSelf.createSubnetSet',
              message: 'createSubnetSet cannot be changed',
            },
          ],
        },
      ),
    ),
    provider: optional(
      enumeration(networkProviders, {
        description:
          'Network provider of the cluster: VSphereDistributed, NSXTier1 or VPC. Required if the feature gate ClusterNetworkProvider is enabled, and otherwise not allowed. Cannot be changed once set.',
      }),
    ),
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
  withDescriptions(
    {
      controlPlaneEndpoint: optional(controlPlaneEndpoint),
      failureDomains: optional(failureDomains),
      network: optional(network),
    },
    descriptions,
  ),
  { description, minProperties: 1, rules: [keepNetwork] },
);

export const supervisorClusterSpecV1Beta1 = object(
  withDescriptions(
    {
      controlPlaneEndpoint: optional(
        object({
          host: optional(
            string({
              maxLength: 512,
              description: 'IP address or DNS name of the API server of the workload cluster.',
            }),
          ),
          port: optional(int32({ description: 'TCP port of the API server of the workload cluster.' })),
        }),
      ),
      failureDomains: optional(failureDomains),
      network: optional(network),
    },
    descriptions,
  ),
  { description, rules: [keepNetwork] },
);
