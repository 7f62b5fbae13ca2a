import {
  boolean,
  dateTime,
  defineKind,
  enumeration,
  list,
  object,
  optional,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedFailure,
  objectReference,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { text, texts } from '../shared/limits.js';
import { cloneModes, cloneSpec, cloneSpecV1Beta1, powerOff, powerOffV1Beta1 } from './clone-spec.js';
import { networkStatus, networkStatusV1Beta1 } from './network.js';

const description = 'A virtual machine in a vCenter. Made for a VSphereMachine, not by users.';

export const vsphereVm = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereVM',
  plural: 'vspherevms',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(
          object({
            ...cloneSpecV1Beta1,
            ...powerOffV1Beta1,
            biosUUID: optional(string()),
            bootstrapRef: optional(objectReference),
          }),
        ),
        status: optional(
          object({
            addresses: optional(list(string())),
            cloneMode: optional(string()),
            conditions: optional(v1beta1Conditions),
            failureMessage: optional(string()),
            failureReason: optional(string()),
            host: optional(string()),
            moduleUUID: optional(string()),
            network: optional(networkStatusV1Beta1),
            ready: optional(boolean()),
            retryAfter: optional(dateTime()),
            snapshot: optional(string()),
            taskRef: optional(string()),
            v1beta2: optional(v1beta2Conditions),
            vmRef: optional(string()),
          }),
        ),
      },
      subresources: { status: true },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: object({
          ...cloneSpec,
          ...powerOff,
          biosUUID: optional(text(1024)),
          bootstrapRef: optional(object({ name: text(253) })),
        }),
        status: optional(
          object(
            {
              addresses: optional(texts(128, 39)),
              cloneMode: optional(enumeration(cloneModes)),
              conditions: optional(conditions),
              deprecated: optional(deprecatedFailure),
              host: optional(text(1024)),
              moduleUUID: optional(string({ maxLength: 2048 })),
              network: optional(networkStatus),
              ready: optional(boolean()),
              retryAfter: optional(dateTime()),
              snapshot: optional(text(1024)),
              taskRef: optional(text(2048)),
              vmRef: optional(text(2048)),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VSphereVm = ObjectOf<typeof vsphereVm>;
export type VSphereVmV1Beta1 = ObjectOf<typeof vsphereVm, 'v1beta1'>;
