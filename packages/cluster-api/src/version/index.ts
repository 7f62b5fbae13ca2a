export {
  compareKubernetesVersions,
  isKubernetesVersion,
  parseKubernetesVersion,
  withVersionPrefix,
} from './kubernetes-version.js';
