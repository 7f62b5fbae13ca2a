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
                'The IPv4 network of the machines, from /16 to /28. Absent: the first free /24 out of 10.231.0.0/16.',
            }),
          ),
        },
        { description: 'The link that the machines of the cluster share.', minProperties: 1 },
      ),
    ),
  },
  { description: 'What the infrastructure of the cluster should be.' },
);

export const hostMachineSpec = object(
  {
    providerID: optional(string({ minLength: 1, maxLength: 512 })),
  },
  { description: 'What the machine should be.' },
);
