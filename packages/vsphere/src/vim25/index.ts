export * from './errors.js';
export * from './find/index.js';
export { addressText, parseServerAddress, thumbprintsOf, type Trust, verifiesCertificates } from './http/index.js';
export * from './property/index.js';
export * from './rest/index.js';
export { type Data, isA, make, type ObjectRef } from './schema/index.js';
export * from './session/index.js';
export { StoragePolicies } from './storage-policy/storage-policies.js';
