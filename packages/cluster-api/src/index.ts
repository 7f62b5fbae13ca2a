export * from './api/index.js';
export * from './conversion/index.js';
