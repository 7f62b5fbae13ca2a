import { atomicList, enumeration, int32, int64, object, optional, string } from '@slipway/kube/kit';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { objectReference } from '../shared/references.js';
import { machineInitialization, statusVersions } from '../shared/status-parts.js';
import { machineTemplate } from './machine-spec.js';

export const machinePoolSpec = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63 }),
    failureDomains: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
    providerIDList: optional(atomicList(string({ minLength: 1, maxLength: 512 }), { maxItems: 10000 })),
    replicas: optional(int32()),
    template: machineTemplate,
  },
  { description: 'How many machines the provider should keep as one pool.' },
);

export const machinePoolStatus = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(conditions),
    deprecated: optional(
      object({
        v1beta1: optional(
          object({
            availableReplicas: optional(int32()),
            conditions: optional(v1beta1Conditions),
            failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
            failureReason: optional(string()),
            readyReplicas: optional(int32()),
            unavailableReplicas: optional(int32()),
          }),
        ),
      }),
    ),
    initialization: optional(machineInitialization),
    nodeRefs: optional(atomicList(objectReference, { maxItems: 10000 })),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(
      enumeration([
        'Pending',
        'Provisioning',
        'Provisioned',
        'Running',
        'ScalingUp',
        'ScalingDown',
        'Scaling',
        'Deleting',
        'Failed',
        'Unknown',
      ]),
    ),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    upToDateReplicas: optional(int32()),
    versions: optional(statusVersions),
  },
  { minProperties: 1 },
);
