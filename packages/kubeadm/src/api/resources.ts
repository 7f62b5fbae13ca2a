import { resourceOf } from '@slipway/runtime';
import { kubeadmConfig } from './kubeadm-config.js';
import { kubeadmConfigTemplate } from './kubeadm-config-template.js';
import { kubeadmControlPlane } from './kubeadm-control-plane.js';
import { kubeadmControlPlaneTemplate } from './kubeadm-control-plane-template.js';

/** The kinds as clients name them, at the version that is stored. */
export const kubeadmConfigs = resourceOf(kubeadmConfig);
export const kubeadmConfigTemplates = resourceOf(kubeadmConfigTemplate);
export const kubeadmControlPlanes = resourceOf(kubeadmControlPlane);
export const kubeadmControlPlaneTemplates = resourceOf(kubeadmControlPlaneTemplate);
