export { ManifestShapeError, parseManifest } from './parse-manifest.js';
export { parseYaml, parseYamlDocuments, parseYamlValue } from './parse-yaml.js';
export { stringifyYamlInOrder } from './stringify-yaml-in-order.js';
export { stringifyYaml } from './stringify-yaml.js';
export { YamlError } from './yaml-error.js';
