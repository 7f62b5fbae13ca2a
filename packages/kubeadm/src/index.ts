export { kubeadmAdmission } from './admission/index.js';
export {
  controlPlaneAnnotations,
  controlPlaneMachineConditions,
  type KubeadmConfig,
  kubeadmConfig,
  kubeadmConfigs,
  kubeadmConfigTemplate,
  kubeadmConfigTemplates,
  type KubeadmControlPlane,
  kubeadmControlPlane,
  kubeadmControlPlanes,
  kubeadmControlPlaneTemplate,
  kubeadmControlPlaneTemplates,
  kubeadmConversions,
  kubeadmKinds,
  kubeadmReasons,
} from './api/index.js';
export {
  certificateOf,
  type CertificatePurpose,
  certificateSecret,
  certificateSecretName,
  controlPlaneCertificates,
  createKubeconfig,
  generateCertificates,
  kubeconfigSecret,
  kubeconfigServer,
  needsKubeconfigRotation,
} from './certificates/index.js';
export { createKubeadmControlPlaneController } from './control-plane/controller.js';
export { kubeadmControllers } from './controllers.js';
export {
  alarmActions,
  createEtcdCluster,
  decodeFrame,
  encodeFrame,
  EtcdClientCredentials,
  type EtcdCluster,
  type EtcdConnection,
  type EtcdCredentials,
  EtcdError,
  type EtcdMember,
  etcdRefusal,
  etcdRpcs,
  type EtcdState,
  type Rpc,
} from './etcd/index.js';
export {
  controlPlaneHealth,
  type ControlPlaneObservation,
  type ControlPlaneWorkload,
  createControlPlaneWorkload,
  type PodObservation,
  type WorkloadOpener,
} from './workload/index.js';
