import { object, optional, string } from '@slipway/kube/kit';
import { text } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import {
  failureDomainV1Beta1Description,
  namingDescription,
  namingDescriptions,
  providerIdDescription,
} from './clone-descriptions.js';
import { cloneSpec, cloneSpecV1Beta1, powerOff, powerOffV1Beta1 } from './clone-spec.js';

const description =
  'Desired state of the virtual machine. Only providerID, powerOffMode, the power-off timeout and network.devices can be changed; for other changes, replace the Machine.';

export const vsphereMachineSpec = object(
  {
    ...cloneSpec,
    ...powerOff,
    naming: optional(
      object(withDescriptions({ template: optional(text(1024)) }, namingDescriptions), {
        minProperties: 1,
        description: namingDescription,
      }),
    ),
    providerID: optional(text(512, providerIdDescription)),
  },
  { description },
);

export const vsphereMachineSpecV1Beta1 = object(
  {
    ...cloneSpecV1Beta1,
    ...powerOffV1Beta1,
    failureDomain: optional(string({ description: failureDomainV1Beta1Description })),
    namingStrategy: optional(
      object(withDescriptions({ template: optional(string()) }, namingDescriptions), {
        description: namingDescription,
      }),
    ),
    providerID: optional(string({ description: providerIdDescription })),
  },
  { description },
);
