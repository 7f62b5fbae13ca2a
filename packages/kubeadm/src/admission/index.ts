import type { KindAdmission } from '@slipway/cluster-api';
import { kubeadmControlPlaneAdmission } from './kubeadm-control-plane.js';
import {
  kubeadmConfigAdmission,
  kubeadmConfigTemplateAdmission,
  kubeadmControlPlaneTemplateAdmission,
} from './templates.js';

/** Defaulting and validation of this package's kinds. */
export const kubeadmAdmission: readonly KindAdmission[] = [
  kubeadmConfigAdmission,
  kubeadmConfigTemplateAdmission,
  kubeadmControlPlaneAdmission,
  kubeadmControlPlaneTemplateAdmission,
];
