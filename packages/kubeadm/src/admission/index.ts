import type { KindAdmission } from '@slipway/cluster-api';
import { kubeadmControlPlaneAdmission } from './kubeadm-control-plane.js';
import {
  kubeadmConfigAdmission,
  kubeadmConfigTemplateAdmission,
  kubeadmControlPlaneTemplateAdmission,
} from './templates.js';

export { type KubeadmConfigSpec, validateKubeadmConfigSpec } from './kubeadm-config-spec.js';
export { defaultKubeadmControlPlane, validateKubeadmControlPlane, validateReplicas } from './kubeadm-control-plane.js';

/** What is done to objects of this package's kinds before they are stored. */
export const kubeadmAdmission: readonly KindAdmission[] = [
  kubeadmConfigAdmission,
  kubeadmConfigTemplateAdmission,
  kubeadmControlPlaneAdmission,
  kubeadmControlPlaneTemplateAdmission,
];
