import { boolean, list, enumeration, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions } from '@slipway/cluster-api/schemas';

export const initialization = object(
  { provisioned: optional(boolean({ description: 'Whether the infrastructure was ever complete. Never goes back.' })) },
  { minProperties: 1 },
);

export const machineAddress = object({
  address: string({ minLength: 1, maxLength: 256 }),
  type: enumeration(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']),
});

export const machineAddressesV1Beta1 = list(machineAddress);

/** Where the old form's word about a machine that cannot be helped stays readable. */
export const deprecatedFailureUnlimited = object({
  v1beta1: optional(
    object({
      conditions: optional(v1beta1Conditions),
      failureMessage: optional(string()),
      failureReason: optional(string()),
    }),
  ),
});
