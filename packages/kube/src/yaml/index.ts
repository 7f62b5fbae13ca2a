export type { ParseYamlOptions } from './parse-yaml.js';
export { parseYaml, parseYamlDocuments, parseYamlValue } from './parse-yaml.js';
export { stringifyYaml } from './stringify-yaml.js';
export { YamlError } from './yaml-error.js';
