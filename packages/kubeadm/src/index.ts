export { kubeadmAdmission } from './admission/index.js';
export {
  controlPlaneAnnotations,
  controlPlaneMachineConditions,
  kubeadmConfig,
  kubeadmConfigs,
  kubeadmConfigTemplate,
  kubeadmConfigTemplates,
  kubeadmControlPlane,
  kubeadmControlPlanes,
  kubeadmControlPlaneTemplate,
  kubeadmControlPlaneTemplates,
  kubeadmConversions,
  kubeadmKinds,
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
  etcdRefusal,
  etcdRpcs,
  type EtcdState,
  type Rpc,
} from './etcd/index.js';
export {
  controlPlaneHealth,
  type ControlPlaneWorkload,
  createControlPlaneWorkload,
  type WorkloadOpener,
} from './workload/index.js';
