export { applyJsonPatch, decodeJsonPatch, type JsonPatchOperation } from './json-patch.js';
export { applyMergePatch, createMergePatch, decodeMergePatch } from './merge-patch.js';
export { PatchError } from './patch-error.js';
export { applyStrategicMergePatch, decodeStrategicMergePatch } from './strategic-merge-patch.js';
