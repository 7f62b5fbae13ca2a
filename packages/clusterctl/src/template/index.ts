export { type ClusterTemplate, renderTemplate } from './cluster-template.js';
export {
  type GenerateClusterOptions,
  generateCluster,
  type GeneratedCluster,
  type TemplateSource,
} from './generate-cluster.js';
export { parseObjects, stringifyManifest } from './manifest.js';
export { type ConfigMapReference, readTemplateFrom } from './read-template.js';
export { clusterNameProblem, versionProblem } from './template-values.js';
