export {
  adminKubeconfig,
  type AdminKubeconfigOptions,
  kubeconfigSecret,
  kubeconfigSecretName,
} from './admin-kubeconfig.js';
