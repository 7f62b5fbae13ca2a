export { compileJsonPath, JsonPath } from './json-path.js';
export { JsonPathError } from './json-path-step.js';
