export { renderTemplate } from './cluster-template.js';
export { generateCluster, type GeneratedCluster, type TemplateSource } from './generate-cluster.js';
export { parseObjects, stringifyManifest } from './manifest.js';
export { readTemplateFrom } from './read-template.js';
export { clusterNameProblem, versionProblem } from './template-values.js';
