import { dateTime, defineKind, object, optional, refine, type ObjectOf } from '@slipway/kube/kit';
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
  nodeTimeoutsV1Beta1,
  templateMetadata,
  templateMetadataV1Beta1,
} from '@slipway/cluster-api/schemas';
import { controlPlaneTexts } from './texts/control-plane.js';

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
      description: controlPlaneTexts.kubeadmControlPlaneTemplate,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadataV1Beta1),
                  spec: object(
                    {
                      kubeadmConfigSpec: refine(kubeadmConfigSpecV1Beta1, {
                        description: controlPlaneTexts.kubeadmConfigSpec,
                      }),
                      machineNamingStrategy: optional(machineNamingV1Beta1),
                      machineTemplate: optional(
                        object(
                          {
                            metadata: optional(
                              refine(templateMetadataV1Beta1, {
                                description: controlPlaneTexts.machineTemplateMetadata,
                              }),
                            ),
                            ...nodeTimeoutsV1Beta1,
                            taints: optional(machineTaints),
                          },
                          { description: controlPlaneTexts.machineTemplate },
                        ),
                      ),
                      remediationStrategy: optional(controlPlaneRemediationV1Beta1),
                      rolloutAfter: optional(dateTime({ description: controlPlaneTexts.rolloutAfter })),
                      rolloutBefore: optional(rolloutBeforeV1Beta1),
                      rolloutStrategy: optional(controlPlaneRolloutV1Beta1),
                    },
                    { description: controlPlaneTexts.templateSpec },
                  ),
                },
                { description: controlPlaneTexts.specTemplate },
              ),
            },
            { description: controlPlaneTexts.spec },
          ),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: controlPlaneTexts.kubeadmControlPlaneTemplate,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadata),
                  spec: optional(
                    object(
                      {
                        kubeadmConfigSpec: optional(
                          refine(kubeadmConfigSpec, { description: controlPlaneTexts.kubeadmConfigSpec }),
                        ),
                        machineNaming: optional(machineNaming),
                        machineTemplate: optional(
                          object(
                            {
                              metadata: optional(
                                refine(templateMetadata, { description: controlPlaneTexts.machineTemplateMetadata }),
                              ),
                              spec: optional(
                                object(
                                  {
                                    deletion: optional(deletionTimeouts),
                                    taints: optional(machineTaints),
                                  },
                                  { minProperties: 1, description: controlPlaneTexts.machineTemplateSpec },
                                ),
                              ),
                            },
                            { minProperties: 1, description: controlPlaneTexts.machineTemplate },
                          ),
                        ),
                        remediation: optional(controlPlaneRemediation),
                        rollout: optional(controlPlaneRollout),
                      },
                      { minProperties: 1, description: controlPlaneTexts.templateSpec },
                    ),
                  ),
                },
                { minProperties: 1, description: controlPlaneTexts.specTemplate },
              ),
            },
            { description: controlPlaneTexts.spec },
          ),
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
