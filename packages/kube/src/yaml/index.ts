export { ManifestShapeError, parseManifest, type ParseManifestOptions } from './parse-manifest.js';
export type { ParseYamlOptions } from './parse-yaml.js';
export { parseYaml, parseYamlDocuments, parseYamlValue } from './parse-yaml.js';
export { stringifyYaml } from './stringify-yaml.js';
export { stringifyYamlInOrder } from './stringify-yaml-in-order.js';
export { YamlError } from './yaml-error.js';
