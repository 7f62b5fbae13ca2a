import { boolean, defineKind, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  failureDomains,
  failureDomainsV1Beta1,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { ageColumn, clusterColumn, pausedColumn, provisionedColumn } from '../shared/columns.js';
import { initialization } from '../shared/status-parts.js';
import { supervisorClusterSpec, supervisorClusterSpecV1Beta1 } from './cluster-spec.js';

const description = 'A cluster in a Supervisor.';

/** `VSphereCluster` of the Supervisor's group; the vCenter's group has a kind of the same name. */
export const supervisorCluster = defineKind({
  group: 'vmware.infrastructure.cluster.x-k8s.io',
  kind: 'VSphereCluster',
  plural: 'vsphereclusters',
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
        spec: optional(supervisorClusterSpecV1Beta1),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            failureDomains: optional(failureDomainsV1Beta1),
            ready: optional(boolean()),
            resourcePolicyName: optional(string()),
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
        spec: optional(supervisorClusterSpec),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              failureDomains: optional(failureDomains),
              initialization: optional(initialization),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        clusterColumn,
        { name: 'ControlPlane Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        pausedColumn,
        provisionedColumn,
        ageColumn,
      ],
    },
  ],
});

export type SupervisorCluster = ObjectOf<typeof supervisorCluster>;
export type SupervisorClusterV1Beta1 = ObjectOf<typeof supervisorCluster, 'v1beta1'>;
