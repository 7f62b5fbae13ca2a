import type { Kind } from '@slipway/kube';
import { kubeadmConfig } from './kubeadm-config.js';
import { kubeadmConfigTemplate } from './kubeadm-config-template.js';
import { kubeadmControlPlane } from './kubeadm-control-plane.js';
import { kubeadmControlPlaneTemplate } from './kubeadm-control-plane-template.js';

/** Every kind of this package. */
export const kubeadmKinds: readonly Kind[] = [
  kubeadmConfigTemplate,
  kubeadmConfig,
  kubeadmControlPlaneTemplate,
  kubeadmControlPlane,
];
