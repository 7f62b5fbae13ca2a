import { boolean, enumeration, int32, list, map, mapList, object, optional, string } from '@slipway/kube/kit';

const texts = {
  failureDomains:
    'failureDomains are the failure domains in which machines can be placed, as reported by the infrastructure provider.',
  attributes: 'attributes are further properties of the failure domain, defined by the infrastructure provider.',
  controlPlane:
    'controlPlane defines whether control plane machines can be placed in the failure domain. Defaults to false.',
};

export const statusVersions = mapList(
  object({
    replicas: optional(int32({ minimum: 1, description: 'replicas is the number of replicas at this version.' })),
    version: string({
      minLength: 1,
      maxLength: 256,
      description: 'version is a Kubernetes version, with the v prefix.',
    }),
  }),
  ['version'],
  {
    description: 'versions is the number of replicas at each Kubernetes version, in ascending order of versions.',
    minItems: 1,
    maxItems: 100,
  },
);

export const machineAddresses = list(
  object({
    address: string({ minLength: 1, maxLength: 256, description: 'address is the IP address or host name.' }),
    type: enumeration(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'], {
      description:
        'type is the kind of the address: a host name, a DNS name or an IP address, reachable from inside or from outside.',
    }),
  }),
  { description: 'addresses are the addresses of the machine, as reported by the infrastructure provider.' },
);

export const failureDomains = mapList(
  object({
    attributes: optional(map(string(), { description: texts.attributes })),
    controlPlane: optional(boolean({ description: texts.controlPlane })),
    name: string({ minLength: 1, maxLength: 256, description: 'name is the name of the failure domain.' }),
  }),
  ['name'],
  { description: texts.failureDomains, minItems: 1, maxItems: 100 },
);

export const failureDomainsV1Beta1 = map(
  object({
    attributes: optional(map(string(), { description: texts.attributes })),
    controlPlane: optional(boolean({ description: texts.controlPlane })),
  }),
  { description: texts.failureDomains },
);

export const machineInitialization = object(
  {
    bootstrapDataSecretCreated: optional(
      boolean({
        description:
          'bootstrapDataSecretCreated is true once the bootstrap provider has created the bootstrap data Secret.',
      }),
    ),
    infrastructureProvisioned: optional(
      boolean({
        description: 'infrastructureProvisioned is true once the infrastructure provider has provisioned the machine.',
      }),
    ),
  },
  { minProperties: 1, description: 'initialization records which steps of the provisioning are complete.' },
);
