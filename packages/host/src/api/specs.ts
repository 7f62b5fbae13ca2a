import { object, optional, string } from '@slipway/kube/kit';
import { controlPlaneEndpoint } from '@slipway/cluster-api/schemas';

export const hostClusterSpec = object(
  {
    controlPlaneEndpoint: optional(controlPlaneEndpoint),
    network: optional(
      object(
        {
          cidr: optional(
            string({
              minLength: 9,
              maxLength: 18,
              description:
                'cidr is the IPv4 network of the machines, with a prefix length from /16 to /28. Defaults to the first free /24 network in 10.231.0.0/16.',
            }),
          ),
        },
        { description: 'network is the layer 2 network that the machines of the cluster share.', minProperties: 1 },
      ),
    ),
  },
  { description: 'spec is the desired state of the infrastructure of the cluster.' },
);

export const hostMachineSpec = object(
  {
    providerID: optional(
      string({
        minLength: 1,
        maxLength: 512,
        description:
          'providerID identifies the machine and equals spec.providerID of its Node. Set by the infrastructure provider.',
      }),
    ),
  },
  { description: 'spec is the desired state of the HostMachine.' },
);
