import {
  atomicList,
  enumeration,
  type Fields,
  int32,
  list,
  map,
  object,
  optional,
  quantity,
  string,
} from '@slipway/kube/kit';
import { kindPattern, subdomainPattern, templateReference } from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';
import { powerOffModes } from '../vcenter/clone-spec.js';

const description = 'What the virtual machine should be.';
const interfaceNamePattern = '^[a-z0-9]{2,}$';

const routes = atomicList(
  object({
    to: string({ pattern: '^([0-9]{1,3}\\.){3}[0-9]{1,3}\\/[0-9]{1,2}$', minLength: 9, maxLength: 18 }),
    via: string({ pattern: '^([0-9]{1,3}\\.){3}[0-9]{1,3}$', minLength: 7, maxLength: 15 }),
  }),
  { minItems: 1, maxItems: 100 },
);

const interfaceSettings = {
  mtu: optional(int32({ minimum: 576, maximum: 9000 })),
  routes: optional(routes),
} as const;

const interfaceName = string({ pattern: interfaceNamePattern, minLength: 2, maxLength: 15 });

/** The two versions call the network of an interface by different names. */
function networkOf<const N extends Fields>(network: N) {
  return object(
    {
      interfaces: optional(
        object(
          {
            primary: optional(object({ ...interfaceSettings, ...network })),
            secondary: optional(
              atomicList(object({ ...interfaceSettings, ...network, name: interfaceName }), {
                minItems: 1,
                maxItems: 9,
              }),
            ),
          },
          { minProperties: 1 },
        ),
      ),
      vlans: optional(
        atomicList(
          object({
            id: int32({ minimum: 0, maximum: 4094 }),
            link: interfaceName,
            name: string({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]*$', minLength: 1, maxLength: 15 }),
          }),
          { minItems: 1, maxItems: 100 },
        ),
      ),
    },
    { minProperties: 1 },
  );
}

const policies = atomicList(
  object({
    kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63 }),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253 }),
  }),
  { minItems: 1, maxItems: 64 },
);

/** Of whole VSphereMachines: what policies apply is decided when the virtual machine is made. */
export const policiesUnchanged = {
  rule: 'has(self.spec.policies) == has(oldSelf.spec.policies) && (!has(self.spec.policies) || self.spec.policies == oldSelf.spec.policies)',
  message: 'spec.policies cannot be changed',
} as const;

export const supervisorMachineSpec = object(
  {
    className: text(253),
    imageName: text(2048),
    minHardwareVersion: optional(text(32)),
    naming: optional(object({ template: optional(text(1024)) }, { minProperties: 1 })),
    network: optional(networkOf({ networkRef: templateReference })),
    policies: optional(policies),
    powerOffMode: optional(enumeration(powerOffModes)),
    providerID: optional(text(512)),
    storageClass: optional(text(253)),
    volumes: optional(
      atomicList(
        object({
          capacity: map(quantity()),
          name: text(253),
          storageClass: optional(text(253)),
        }),
        { maxItems: 1024 },
      ),
    ),
  },
  { description },
);

export const supervisorMachineSpecV1Beta1 = object(
  {
    className: string(),
    failureDomain: optional(string()),
    imageName: string(),
    minHardwareVersion: optional(string()),
    namingStrategy: optional(object({ template: optional(string()) })),
    network: optional(networkOf({ network: templateReference })),
    policies: optional(policies),
    powerOffMode: optional(enumeration(powerOffModes, { default: 'hard' })),
    providerID: optional(string()),
    storageClass: optional(string()),
    volumes: optional(
      list(
        object({
          capacity: map(quantity()),
          name: string(),
          storageClass: optional(string()),
        }),
      ),
    ),
  },
  { description },
);
