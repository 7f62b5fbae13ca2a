import { boolean, defineKind, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';

const description = 'Where in a vCenter the machines of a failure domain are placed.';

export const vsphereDeploymentZone = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereDeploymentZone',
  plural: 'vspheredeploymentzones',
  categories: ['cluster-api'],
  scope: 'Cluster',
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
            controlPlane: optional(boolean()),
            failureDomain: optional(string()),
            placementConstraint: object({ folder: optional(string()), resourcePool: optional(string()) }),
            server: optional(string()),
          }),
        ),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            ready: optional(boolean()),
            v1beta2: optional(v1beta2Conditions),
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
          controlPlane: optional(boolean()),
          failureDomain: text(253),
          placementConstraint: optional(
            object({ folder: optional(text(2048)), resourcePool: optional(text(2048)) }, { minProperties: 1 }),
          ),
          server: optional(text(1024)),
        }),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              ready: optional(boolean({ description: 'Absent: never looked at.' })),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VSphereDeploymentZone = ObjectOf<typeof vsphereDeploymentZone>;
export type VSphereDeploymentZoneV1Beta1 = ObjectOf<typeof vsphereDeploymentZone, 'v1beta1'>;
