import type { KindAdmission } from '@slipway/cluster-api';
import { kubeadmControlPlaneAdmission } from './kubeadm-control-plane.js';
import {
  kubeadmConfigAdmission,
  kubeadmConfigTemplateAdmission,
  kubeadmControlPlaneTemplateAdmission,
} from './templates.js';

/** What is done to objects of this package's kinds before they are stored. */
export const kubeadmAdmission: readonly KindAdmission[] = [
  kubeadmConfigAdmission,
  kubeadmConfigTemplateAdmission,
  kubeadmControlPlaneAdmission,
  kubeadmControlPlaneTemplateAdmission,
];
