import { atomicList, enumeration, int32, int64, object, optional, string } from '@slipway/kube/kit';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { objectReference } from '../shared/references.js';
import { machineInitialization, statusVersions } from '../shared/status-parts.js';
import { machineTemplate } from './machine-spec.js';
import { machineTexts } from '../texts/machines.js';

export const machinePoolSpec = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    failureDomains: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100, description: machineTexts.failureDomains }),
    ),
    providerIDList: optional(
      atomicList(string({ minLength: 1, maxLength: 512 }), {
        maxItems: 10000,
        description: machineTexts.providerIDList,
      }),
    ),
    replicas: optional(
      int32({
        description: machineTexts.machinePoolSpecReplicas,
      }),
    ),
    template: machineTemplate,
  },
  { description: machineTexts.machinePoolSpec },
);

export const machinePoolStatus = object(
  {
    availableReplicas: optional(
      int32({ description: 'availableReplicas is the number of machines of the pool that are available.' }),
    ),
    conditions: optional(conditions),
    deprecated: optional(
      object(
        {
          v1beta1: optional(
            object(
              {
                availableReplicas: optional(int32({ description: machineTexts.deprecatedV1beta1AvailableReplicas })),
                conditions: optional(v1beta1Conditions),
                failureMessage: optional(
                  string({ minLength: 1, maxLength: 10240, description: machineTexts.failureMessage }),
                ),
                failureReason: optional(string({ description: machineTexts.failureReason })),
                readyReplicas: optional(int32({ description: machineTexts.deprecatedV1beta1ReadyReplicas })),
                unavailableReplicas: optional(int32({ description: machineTexts.unavailableReplicas })),
              },
              { description: machineTexts.deprecatedV1beta1 },
            ),
          ),
        },
        {
          description: machineTexts.machineDeploymentStatusDeprecated,
        },
      ),
    ),
    initialization: optional(machineInitialization),
    nodeRefs: optional(atomicList(objectReference, { maxItems: 10000, description: machineTexts.nodeRefs })),
    observedGeneration: optional(int64({ minimum: 1, description: machineTexts.observedGeneration })),
    phase: optional(
      enumeration(
        [
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
        ],
        {
          description: machineTexts.machinePoolStatusPhase,
        },
      ),
    ),
    readyReplicas: optional(
      int32({ description: 'readyReplicas is the number of machines of the pool that are ready.' }),
    ),
    replicas: optional(
      int32({
        description: machineTexts.machinePoolStatusReplicas,
      }),
    ),
    upToDateReplicas: optional(
      int32({
        description: 'upToDateReplicas is the number of machines of the pool whose spec matches the desired one.',
      }),
    ),
    versions: optional(statusVersions),
  },
  { minProperties: 1, description: machineTexts.machinePoolStatus },
);
