export {
  adminKubeconfig,
  kubeconfigSecret,
  kubeconfigSecretName,
} from './admin-kubeconfig.js';
