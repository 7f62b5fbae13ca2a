export {
  compareKubernetesVersions,
  isKubernetesVersion,
  parseKubernetesVersion,
  withVersionPrefix,
} from './kubernetes-version.js';
export type { VersionCount } from './version-counts.js';
export { sumVersions } from './version-counts.js';
