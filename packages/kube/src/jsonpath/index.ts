export { compileJsonPath, JsonPath } from './json-path.js';
