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
import { text } from '../shared/limits.js';
import { initialization, readyV1Beta1 } from '../shared/status-parts.js';
import { vsphereClusterSpec, vsphereClusterSpecV1Beta1 } from './cluster-spec.js';

const description =
  'The infrastructure of a Cluster in a vCenter: the connection to the vCenter, its failure domains and its cluster modules.';
const statusDescription = 'Observed state of the cluster.';
const vCenterVersionDescription = 'Version that the vCenter reports. Cluster modules require 7.0 or later.';

export const vsphereCluster = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
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
        spec: optional(vsphereClusterSpecV1Beta1),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              failureDomains: optional(failureDomainsV1Beta1),
              ready: optional(readyV1Beta1),
              v1beta2: optional(v1beta2Conditions),
              vCenterVersion: optional(string({ description: vCenterVersionDescription })),
            },
            { description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Server', type: 'string', jsonPath: '.spec.server' },
        {
          name: 'ControlPlaneEndpoint',
          type: 'string',
          jsonPath: '.spec.controlPlaneEndpoint.host',
          priority: 1,
        },
        ageColumn,
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: vsphereClusterSpec,
        status: optional(
          object(
            {
              conditions: optional(
                refine(conditions, {
                  description:
                    'Current state of the cluster. Types: Ready, VCenterAvailable, FailureDomainsReady, ClusterModulesReady and Paused.',
                }),
              ),
              deprecated: optional(deprecatedConditions),
              failureDomains: optional(failureDomains),
              initialization: optional(initialization),
              vCenterVersion: optional(text(256, vCenterVersionDescription)),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        clusterColumn,
        { name: 'Server', type: 'string', jsonPath: '.spec.server' },
        { name: 'ControlPlane Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        pausedColumn,
        provisionedColumn,
        ageColumn,
      ],
    },
  ],
});

export type VSphereCluster = ObjectOf<typeof vsphereCluster>;
