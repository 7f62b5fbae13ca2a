import { boolean, defineKind, object, optional, refine, string, type ObjectOf } from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';

const description =
  'Where in a vCenter the virtual machines of a VSphereFailureDomain are placed. VSphereClusters offer it to Machines as a failure domain of the same name.';
const specDescription = 'The vCenter, the failure domain and the placement of virtual machines in it.';
const statusDescription = 'Observed state of the zone.';

const specDescriptions = {
  controlPlane: 'Whether control plane machines may be placed in this zone. Defaults to true.',
  failureDomain:
    'Name of the VSphereFailureDomain of this zone. It is deleted together with the last zone that refers to it.',
  placementConstraint: 'Folder and resource pool for virtual machines in this zone.',
  server:
    'Host name, host:port or URL of the vCenter. The zone belongs to the VSphereClusters whose server is the same string.',
} as const;

const placementDescriptions = {
  folder:
    'Name or inventory path of the folder for virtual machines. Takes precedence over the folder of the VSphereMachine. A change applies to new virtual machines only.',
  resourcePool:
    'Name or inventory path of the resource pool for virtual machines. Takes precedence over the resource pool of the VSphereMachine. A change applies to new virtual machines only.',
} as const;

const ready = boolean({
  description: 'Whether the failure domain and the placement were found in the vCenter. Absent until the first check.',
});

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
          object(
            withDescriptions(
              {
                controlPlane: optional(boolean()),
                failureDomain: optional(string()),
                placementConstraint: object(
                  withDescriptions(
                    { folder: optional(string()), resourcePool: optional(string()) },
                    placementDescriptions,
                  ),
                ),
                server: optional(string()),
              },
              specDescriptions,
            ),
            { description: specDescription },
          ),
        ),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              ready: optional(ready),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: statusDescription },
          ),
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
        spec: object(
          withDescriptions(
            {
              controlPlane: optional(boolean()),
              failureDomain: text(253),
              placementConstraint: optional(
                object(
                  withDescriptions(
                    { folder: optional(text(2048)), resourcePool: optional(text(2048)) },
                    placementDescriptions,
                  ),
                  { minProperties: 1 },
                ),
              ),
              server: optional(text(1024)),
            },
            specDescriptions,
          ),
          { description: specDescription },
        ),
        status: optional(
          object(
            {
              conditions: optional(
                refine(conditions, {
                  description:
                    'Current state of the zone. Types: Ready, VCenterAvailable, PlacementConstraintReady, FailureDomainValidated and Paused.',
                }),
              ),
              deprecated: optional(deprecatedConditions),
              ready: optional(ready),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VSphereDeploymentZone = ObjectOf<typeof vsphereDeploymentZone>;
