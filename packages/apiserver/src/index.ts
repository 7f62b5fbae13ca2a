export * from './admission/index.js';
export * from './auth/index.js';
export * from './discovery/index.js';
export * from './http/index.js';
export * from './openapi/index.js';
export * from './registry/index.js';
export * from './storage/index.js';
export * from './tables/index.js';
