export { canonicalJson } from './canonical-json.js';
export { cloneJson, deepEqual, deepFreeze, type Thawed } from './deep.js';
export { JsonError } from './json-error.js';
export { jsonDepthMax } from './limits.js';
export { type ParsedJson, parseJson, parseJsonValue } from './parse-json.js';
export { getKey, setKey } from './set-key.js';
export { stringifyJson } from './stringify-json.js';
export type { JsonArray, JsonObject, JsonValue, MutableJson, MutableJsonObject } from './value.js';
