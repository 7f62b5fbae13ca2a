export type { JsonArray, JsonObject, JsonScalar, JsonValue, MutableJson, MutableJsonObject } from './value.js';
export { canonicalJson } from './canonical-json.js';
