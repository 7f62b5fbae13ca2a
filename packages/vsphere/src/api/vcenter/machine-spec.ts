import { object, optional, string } from '@slipway/kube/kit';
import { text } from '../shared/limits.js';
import { cloneSpec, cloneSpecV1Beta1, powerOff, powerOffV1Beta1 } from './clone-spec.js';

const description = 'What the virtual machine should be.';

export const vsphereMachineSpec = object(
  {
    ...cloneSpec,
    ...powerOff,
    naming: optional(object({ template: optional(text(1024)) }, { minProperties: 1 })),
    providerID: optional(text(512)),
  },
  { description },
);

export const vsphereMachineSpecV1Beta1 = object(
  {
    ...cloneSpecV1Beta1,
    ...powerOffV1Beta1,
    failureDomain: optional(string()),
    namingStrategy: optional(object({ template: optional(string()) })),
    providerID: optional(string()),
  },
  { description },
);
