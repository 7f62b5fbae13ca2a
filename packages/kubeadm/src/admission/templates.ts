import {
  type AdmissionContext,
  defineAdmission,
  validateNameTemplate,
  validateTaints,
  validateTemplateMetadata,
  validateTemplateUnchanged,
} from '@slipway/cluster-api';
import { type FieldError, forbiddenField } from '@slipway/kube';
import { kubeadmConfig } from '../api/kubeadm-config.js';
import { type KubeadmConfigTemplate, kubeadmConfigTemplate } from '../api/kubeadm-config-template.js';
import {
  type KubeadmControlPlaneTemplate,
  kubeadmControlPlaneTemplate,
} from '../api/kubeadm-control-plane-template.js';
import { validateKubeadmConfigSpec } from './kubeadm-config-spec.js';
import { validateRollout } from './kubeadm-control-plane.js';

export const kubeadmConfigAdmission = defineAdmission(kubeadmConfig, {
  validate: (object, _old, context) => validateKubeadmConfigSpec('spec', object.spec ?? {}, context),
});

function validateKubeadmConfigTemplate(object: KubeadmConfigTemplate, context: AdmissionContext): FieldError[] {
  const template = object.spec?.template ?? {};
  return [
    ...validateTemplateMetadata('spec.template.metadata', template.metadata),
    ...validateKubeadmConfigSpec('spec.template.spec', template.spec ?? {}, context),
  ];
}

export const kubeadmConfigTemplateAdmission = defineAdmission(kubeadmConfigTemplate, {
  validate: (object, _old, context) => validateKubeadmConfigTemplate(object, context),
});

function validateKubeadmControlPlaneTemplate(
  object: KubeadmControlPlaneTemplate,
  old: KubeadmControlPlaneTemplate | undefined,
  context: AdmissionContext,
): FieldError[] {
  if (!context.features.ClusterTopology) {
    return [forbiddenField('spec', 'can be set only if the ClusterTopology feature flag is enabled')];
  }
  const spec = object.spec?.template.spec ?? {};
  const path = 'spec.template.spec';
  const values = { cluster: { name: 'cluster' }, kubeadmControlPlane: { name: 'control-plane' } };
  return [
    ...validateTemplateMetadata('spec.template.metadata', object.spec?.template.metadata),
    ...validateTemplateMetadata(`${path}.machineTemplate.metadata`, spec.machineTemplate?.metadata),
    ...validateTaints(`${path}.machineTemplate.spec.taints`, spec.machineTemplate?.spec?.taints, context, {
      controlPlane: true,
    }),
    ...validateRollout(`${path}.rollout`, spec.rollout, undefined),
    ...validateNameTemplate(`${path}.machineNaming.template`, spec.machineNaming?.template, values, { random: true }),
    ...validateKubeadmConfigSpec(`${path}.kubeadmConfigSpec`, spec.kubeadmConfigSpec ?? {}, context),
    ...validateTemplateUnchanged(object, old, context),
  ];
}

export const kubeadmControlPlaneTemplateAdmission = defineAdmission(kubeadmControlPlaneTemplate, {
  validate: validateKubeadmControlPlaneTemplate,
});
