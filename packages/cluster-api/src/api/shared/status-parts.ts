import { boolean, enumeration, int32, list, map, mapList, object, optional, string } from '@slipway/kube/kit';

export const statusVersions = mapList(
  object({
    replicas: optional(int32({ minimum: 1 })),
    version: string({ minLength: 1, maxLength: 256 }),
  }),
  ['version'],
  { description: 'How many replicas run each version, ascending.', minItems: 1, maxItems: 100 },
);

export const machineAddresses = list(
  object({
    address: string({ minLength: 1, maxLength: 256 }),
    type: enumeration(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']),
  }),
);

export const failureDomains = mapList(
  object({
    attributes: optional(map(string())),
    controlPlane: optional(boolean()),
    name: string({ minLength: 1, maxLength: 256 }),
  }),
  ['name'],
  { description: 'The failure domains that machines can be placed in.', minItems: 1, maxItems: 100 },
);

export const failureDomainsV1Beta1 = map(
  object({
    attributes: optional(map(string())),
    controlPlane: optional(boolean()),
  }),
);

export const machineInitialization = object(
  {
    bootstrapDataSecretCreated: optional(boolean()),
    infrastructureProvisioned: optional(boolean()),
  },
  { minProperties: 1 },
);
