export type { JsonPatchOperation } from './json-patch.js';
export { applyJsonPatch, decodeJsonPatch, jsonPatchOperationsMax } from './json-patch.js';
export { applyMergePatch, createMergePatch, decodeMergePatch } from './merge-patch.js';
export type { PatchOutcome } from './patch-error.js';
export { PatchError } from './patch-error.js';
export { applyStrategicMergePatch, decodeStrategicMergePatch } from './strategic-merge-patch.js';
