import type { Kind } from '@slipway/kube';
import { resourceOf } from '@slipway/runtime';
import { kubeadmConfigTemplate } from './kubeadm-config-template.js';
import { kubeadmConfig } from './kubeadm-config.js';
import { kubeadmControlPlaneTemplate } from './kubeadm-control-plane-template.js';
import { kubeadmControlPlane } from './kubeadm-control-plane.js';

/** Every kind of this package. */
export const kubeadmKinds: readonly Kind[] = [
  kubeadmConfigTemplate,
  kubeadmConfig,
  kubeadmControlPlaneTemplate,
  kubeadmControlPlane,
];

/** Client resources of the kinds, at their storage version. */
export const kubeadmConfigs = resourceOf(kubeadmConfig);
export const kubeadmConfigTemplates = resourceOf(kubeadmConfigTemplate);
export const kubeadmControlPlanes = resourceOf(kubeadmControlPlane);
export const kubeadmControlPlaneTemplates = resourceOf(kubeadmControlPlaneTemplate);
