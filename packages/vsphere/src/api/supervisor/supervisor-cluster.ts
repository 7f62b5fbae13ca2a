import { defineKind, object, optional, refine, string, type ObjectOf } from '@slipway/kube/kit';
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
import { initialization, readyV1Beta1 } from '../shared/status-parts.js';
import { supervisorClusterSpec, supervisorClusterSpecV1Beta1 } from './cluster-spec.js';

const description =
  'The infrastructure of a Cluster in a Supervisor: its network, its load balancer and its failure domains.';
const statusDescription = 'Observed state of the cluster.';

/** `VSphereCluster` of the Supervisor API group. The vCenter API group has a kind of the same name. */
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
          object(
            {
              conditions: optional(v1beta1Conditions),
              failureDomains: optional(failureDomainsV1Beta1),
              ready: optional(readyV1Beta1),
              resourcePolicyName: optional(
                string({
                  description:
                    'No longer written, and removed in v1beta2: the VirtualMachineSetResourcePolicy has the name of the Cluster.',
                }),
              ),
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
        spec: optional(supervisorClusterSpec),
        status: optional(
          object(
            {
              conditions: optional(
                refine(conditions, {
                  description:
                    'Current state of the cluster. Types: Ready, ResourcePolicyReady, NetworkReady, LoadBalancerReady, FailureDomainsReady, ProviderServiceAccountsReady, ServiceDiscoveryReady and Paused.',
                }),
              ),
              deprecated: optional(deprecatedConditions),
              failureDomains: optional(failureDomains),
              initialization: optional(initialization),
            },
            { minProperties: 1, description: statusDescription },
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
