import { boolean, list, enumeration, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions } from '@slipway/cluster-api/schemas';
import { withDescriptions } from './with-descriptions.js';

export const initialization = object(
  {
    provisioned: optional(
      boolean({
        description:
          'True once the infrastructure was completely provisioned for the first time. Cluster API waits for it, and it is never set back to false.',
      }),
    ),
  },
  {
    minProperties: 1,
    description: 'Progress of the first provisioning. Use the conditions for the current state.',
  },
);

export const readyV1Beta1 = boolean({
  description:
    'True once the infrastructure was completely provisioned for the first time. Replaced by status.initialization.provisioned in v1beta2.',
});

export const machineAddressDescriptions = {
  address: 'The IP address or DNS name.',
  type: 'How the address is meant to be used: Hostname, ExternalIP, InternalIP, ExternalDNS or InternalDNS.',
} as const;

export const machineAddress = object(
  withDescriptions(
    {
      address: string({ minLength: 1, maxLength: 256 }),
      type: enumeration(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']),
    },
    machineAddressDescriptions,
  ),
);

export const machineAddressesV1Beta1 = list(machineAddress);

export const failureMessageDescription =
  'Human-readable description of an error that the controller cannot recover from. Deprecated: use the conditions instead.';
export const failureReasonDescription =
  'Machine-readable name of an error that the controller cannot recover from. Deprecated: use the conditions instead.';

/**
 * Schema of the v1beta1 failure fields, which stay readable. Their lengths are not limited, as upstream does not limit them in
 * the Supervisor's group.
 */
export const deprecatedFailureUnlimited = object(
  {
    v1beta1: optional(
      object(
        {
          conditions: optional(v1beta1Conditions),
          failureMessage: optional(string({ description: failureMessageDescription })),
          failureReason: optional(string({ description: failureReasonDescription })),
        },
        { description: 'Status fields of v1beta1.' },
      ),
    ),
  },
  { description: 'Status fields of earlier API versions, kept for clients that still read them.' },
);
