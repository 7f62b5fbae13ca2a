export { kubeadmConversions } from './conversions/index.js';
export {
  kubeadmConfigs,
  kubeadmConfigTemplates,
  kubeadmControlPlanes,
  kubeadmControlPlaneTemplates,
  kubeadmKinds,
} from './kinds.js';
export { type KubeadmConfig, kubeadmConfig } from './kubeadm-config.js';
export { kubeadmConfigTemplate } from './kubeadm-config-template.js';
export { type KubeadmControlPlane, kubeadmControlPlane } from './kubeadm-control-plane.js';
export { kubeadmControlPlaneTemplate } from './kubeadm-control-plane-template.js';
export {
  controlPlaneAnnotations,
  controlPlaneMachineConditions,
  kubeadmConditions,
  kubeadmFieldManagers,
  kubeadmFinalizers,
  kubeadmReasons,
} from './names.js';
