import { dateTime, defineKind, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import {
  controlPlaneRemediationV1Beta1,
  controlPlaneRolloutV1Beta1,
  rolloutBeforeV1Beta1,
} from './v1beta1/control-plane.js';
import { kubeadmConfigSpecV1Beta1 } from './v1beta1/kubeadm-config-spec.js';
import { controlPlaneRemediation, controlPlaneRollout } from './v1beta2/control-plane.js';
import { kubeadmConfigSpec } from './v1beta2/kubeadm-config-spec.js';
import {
  contractLabels,
  deletionTimeouts,
  machineNaming,
  machineNamingV1Beta1,
  machineTaints,
  templateMetadata,
  templateMetadataV1Beta1,
} from '@slipway/cluster-api/schemas';

export const kubeadmControlPlaneTemplate = defineKind({
  group: 'controlplane.cluster.x-k8s.io',
  kind: 'KubeadmControlPlaneTemplate',
  plural: 'kubeadmcontrolplanetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'A template for KubeadmControlPlanes.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadataV1Beta1),
              spec: object({
                kubeadmConfigSpec: kubeadmConfigSpecV1Beta1,
                machineNamingStrategy: optional(machineNamingV1Beta1),
                machineTemplate: optional(
                  object({
                    metadata: optional(templateMetadataV1Beta1),
                    nodeDeletionTimeout: optional(string()),
                    nodeDrainTimeout: optional(string()),
                    nodeVolumeDetachTimeout: optional(string()),
                    taints: optional(machineTaints),
                  }),
                ),
                remediationStrategy: optional(controlPlaneRemediationV1Beta1),
                rolloutAfter: optional(dateTime()),
                rolloutBefore: optional(rolloutBeforeV1Beta1),
                rolloutStrategy: optional(controlPlaneRolloutV1Beta1),
              }),
            }),
          }),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A template for KubeadmControlPlanes.',
      schema: {
        spec: optional(
          object({
            template: object(
              {
                metadata: optional(templateMetadata),
                spec: optional(
                  object(
                    {
                      kubeadmConfigSpec: optional(kubeadmConfigSpec),
                      machineNaming: optional(machineNaming),
                      machineTemplate: optional(
                        object(
                          {
                            metadata: optional(templateMetadata),
                            spec: optional(
                              object(
                                {
                                  deletion: optional(deletionTimeouts),
                                  taints: optional(machineTaints),
                                },
                                { minProperties: 1 },
                              ),
                            ),
                          },
                          { minProperties: 1 },
                        ),
                      ),
                      remediation: optional(controlPlaneRemediation),
                      rollout: optional(controlPlaneRollout),
                    },
                    { minProperties: 1 },
                  ),
                ),
              },
              { minProperties: 1 },
            ),
          }),
        ),
      },
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type KubeadmControlPlaneTemplate = ObjectOf<typeof kubeadmControlPlaneTemplate>;
